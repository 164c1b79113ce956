//! Pictures that are not what they say.

use super::parts;
use crate::generate::Draw;
use crate::generate::node::{Node, object};
use crate::generate::plan::{Field, Part, Plan};

/// A picture without data, with data that is none, or with a wrong label.
pub(super) fn picture(draw: &mut Draw<'_, '_>, plan: &mut Plan, wrong: usize) -> Option<()> {
    let places = parts(plan, |part| matches!(part, Part::Image(_)));
    if places.is_empty() {
        return None;
    }
    let (message, part) = draw.pick(&places);
    let Part::Image(image) = &mut plan.messages[message].parts[part] else { return None };
    if image.data != Field::Natural || image.mime != Field::Natural {
        return None;
    }
    let base64 = image.picture.base64.clone();
    let mut mendable = true;
    match wrong {
        0 => {
            mendable = false;
            image.data = Field::Missing;
        }
        1 => {
            mendable = false;
            image.data = Field::Instead(Node::Null);
        }
        2 => {
            mendable = false;
            image.data = Field::Instead(Node::from("!!not base64!!"));
        }
        3 => {
            mendable = false;
            image.data = Field::Instead(Node::from("bm90IGEgcGljdHVyZQ=="));
        }
        4 => {
            image.data = Field::Instead(Node::from(format!("data:{};base64,{base64}", image.picture.mime)));
        }
        5 => {
            image.data = Field::Instead(Node::from(base64.trim_end_matches('=')));
        }
        6 => {
            image.data = Field::Instead(Node::from(base64.replace('+', "-").replace('/', "_")));
        }
        7 => {
            image.mime = Field::Missing;
        }
        8 => {
            image.mime = Field::Instead(Node::from("image/webp"));
        }
        9 => {
            mendable = false;
            image.data = Field::Instead(object([("type", Node::from("Buffer")), ("data", Node::Array(vec![]))]));
        }
        _ => {
            let at = base64.len() / 2;
            image.data = Field::Instead(Node::from(format!("{}\n{}", &base64[..at], &base64[at..])));
        }
    }
    if !mendable {
        plan.forget(&base64);
    }
    Some(())
}
