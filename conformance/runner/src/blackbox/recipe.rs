//! What an input is made of: a form, bytes that it is drawn from, defects, and a target to ask for. The same recipe makes the
//! same input on every machine, so a recipe is all that is kept of an input.

use arbitrary::Unstructured;
use serde::{Deserialize, Serialize};
use wirecanon_core::{Dialect, Target};
use wirecanon_generate::defect::{self, Defect};
use wirecanon_generate::{self as generate, Form, Generated, noise};

use crate::dice::Dice;
use crate::testee::Hello;

/// Defects that a recipe may stack.
const MOST_DEFECTS: usize = 6;

/// Draws of a recipe before a simpler one is taken: not every defect finds something to break.
const ATTEMPTS: usize = 12;

/// A dialect that the testee reads, and what it may be asked to write from it.
#[derive(Clone, Debug)]
pub struct Way {
    /// The dialect, and its revision where one is asked for
    pub form: Form,
    /// Targets, those that are a dialect by itself first
    pub targets: Vec<&'static Target>,
    /// Defects that can break something in it
    pub defects: Vec<&'static Defect>,
}

/// Every way that the testee claims, the generator can write and the filters let through.
pub fn ways(hello: &Hello, from: Option<Form>, to: Option<&'static Target>) -> Vec<Way> {
    let forms = generate::Dialect::ALL.into_iter().map(Form::from).filter_map(|form| match from {
        Some(own) => (own.dialect == form.dialect).then_some(own),
        None => Some(form),
    });
    let way = |form: Form| {
        let dialect = Dialect::by_name(form.dialect.name())?;
        // What only some testee writes, of a lone tool result, is asked for too.
        let claimed = |target: &&Target| hello.claims(dialect, target);
        let asked = |target: &&Target| to.is_none_or(|to| to.name == target.name);
        let mut targets: Vec<&'static Target> = Target::all().iter().filter(claimed).filter(asked).collect();
        targets.sort_by_key(|target| !target.is_dialect());
        let defects = defect::all().iter().filter(|defect| defect.applies_to(form.dialect)).collect();
        (!targets.is_empty()).then_some(Way { form, targets, defects })
    };
    forms.filter_map(way).collect()
}

/// How an input is broken.
#[derive(Clone, Debug)]
pub(super) enum Broken {
    Not,
    AsDrawn,
    By(Vec<&'static Defect>),
}

/// What an input is made of.
#[derive(Clone, Debug)]
pub(super) struct Recipe {
    pub(super) form: Form,
    pub(super) bytes: Vec<u8>,
    pub(super) broken: Broken,
    pub(super) target: &'static Target,
}

impl Recipe {
    /// The transcript; none if there is nothing in it that its defects could break.
    pub(super) fn made(&self) -> Option<Generated> {
        let u = &mut Unstructured::new(&self.bytes);
        match &self.broken {
            Broken::Not => Some(generate::valid(u, self.form)),
            Broken::AsDrawn => Some(generate::broken(u, self.form)),
            Broken::By(defects) => generate::broken_by(u, self.form, defects),
        }
    }

    /// A new one: each way as often as the others, a plain dialect as often as a server's limits, and each defect in its
    /// turn.
    fn fresh(dice: &mut Dice, run: u64, ways: &[Way], most: usize) -> Self {
        let way = dice.pick(ways);
        let target = target(dice, way);
        let bytes = noise(dice.next(), dice.below(most + 1));
        let broken = match dice.below(8) {
            0 => Broken::Not,
            1..=3 => Broken::AsDrawn,
            _ if way.defects.is_empty() => Broken::AsDrawn,
            _ => {
                let turn = usize::try_from(run % way.defects.len() as u64).unwrap_or(0);
                Broken::By(vec![way.defects[turn]])
            }
        };
        Self { form: way.form, bytes, broken, target }
    }

    /// A kept one with something changed: another defect on top, another dialect, another target, the bytes of two joined,
    /// some bytes others.
    fn changed(&self, faults: &[&'static str], other: &Self, dice: &mut Dice, ways: &[Way], most: usize) -> Self {
        let mut new = self.clone();
        let own = ways.iter().find(|way| way.form == self.form).unwrap_or(&ways[0]);
        match dice.below(6) {
            0 | 1 => {
                let mut defects: Vec<_> = faults.iter().filter_map(|id| defect::by_id(id)).collect();
                if !own.defects.is_empty() {
                    defects.push(*dice.pick::<&'static Defect>(&own.defects));
                }
                if defects.len() > MOST_DEFECTS {
                    defects.remove(0);
                }
                new.broken = Broken::By(defects);
            }
            2 => {
                let way = dice.pick(ways);
                new.form = way.form;
                new.target = target(dice, way);
                if let Broken::By(defects) = &mut new.broken {
                    defects.retain(|defect| defect.applies_to(way.form.dialect));
                }
            }
            3 => new.target = target(dice, own),
            4 => {
                let (left, right) = (dice.below(self.bytes.len() + 1), dice.below(other.bytes.len() + 1));
                new.bytes.truncate(left);
                new.bytes.extend(&other.bytes[right..]);
                new.bytes.truncate(most);
            }
            _ => {
                for _ in 0..=dice.below(4) {
                    if !new.bytes.is_empty() {
                        let at = dice.below(new.bytes.len());
                        new.bytes[at] = dice.next().to_le_bytes()[0];
                    }
                }
                match dice.below(4) {
                    0 => new.bytes.truncate(dice.below(new.bytes.len() + 1)),
                    1 => {
                        let room = most.saturating_sub(new.bytes.len()).min(64);
                        new.bytes.extend(noise(dice.next(), room));
                    }
                    _ => {}
                }
            }
        }
        if matches!(&new.broken, Broken::By(defects) if defects.is_empty()) {
            new.broken = Broken::Not;
        }
        new
    }
}

/// Half the time the dialect by itself.
fn target(dice: &mut Dice, way: &Way) -> &'static Target {
    let plain = way.targets.iter().take_while(|target| target.is_dialect()).count();
    let among = if plain > 0 && dice.once(2) { plain } else { way.targets.len() };
    dice.pick::<&'static Target>(&way.targets[..among])
}

/// A kept recipe, and the defects that were at work in it.
pub(super) type Kept<'k> = (&'k Recipe, &'k [&'static str]);

/// The recipe of run `run`, and what it makes. Nothing but the seed, the run, the ways and what is kept decides it.
pub(super) fn draw<'k>(
    seed: u64,
    run: u64,
    ways: &[Way],
    most: usize,
    kept: usize,
    nth: impl Fn(usize) -> Kept<'k>,
) -> (Recipe, Generated) {
    let mut dice = Dice::of(seed, run);
    for _ in 0..ATTEMPTS {
        let recipe = if kept == 0 || dice.once(2) {
            Recipe::fresh(&mut dice, run, ways, most)
        } else {
            let (base, faults) = nth(dice.below(kept));
            let (other, _) = nth(dice.below(kept));
            base.changed(faults, other, &mut dice, ways, most)
        };
        if let Some(made) = recipe.made() {
            return (recipe, made);
        }
    }
    let recipe = Recipe { broken: Broken::AsDrawn, ..Recipe::fresh(&mut dice, run, ways, most) };
    let made = generate::broken(&mut Unstructured::new(&recipe.bytes), recipe.form);
    (recipe, made)
}

/// A recipe as it is stored.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Stored {
    form: String,
    bytes: String,
    /// Left out: none
    #[serde(default, skip_serializing_if = "Option::is_none")]
    defects: Option<Vec<String>>,
    to: String,
}

/// In place of a defect: as drawn.
const ANY: &str = "any";

impl From<&Recipe> for Stored {
    fn from(recipe: &Recipe) -> Self {
        Self {
            form: recipe.form.name(),
            bytes: base64_simd::STANDARD.encode_to_string(&recipe.bytes),
            defects: match &recipe.broken {
                Broken::Not => None,
                Broken::AsDrawn => Some(vec![ANY.to_owned()]),
                Broken::By(defects) => Some(defects.iter().map(|defect| defect.id.to_owned()).collect()),
            },
            to: recipe.target.name.clone(),
        }
    }
}

impl Stored {
    /// The recipe; none if this program does not know what it names.
    pub(super) fn recipe(&self) -> Option<Recipe> {
        let broken = match self.defects.as_deref() {
            None => Broken::Not,
            Some([any]) if any == ANY => Broken::AsDrawn,
            Some(ids) => Broken::By(ids.iter().map(|id| defect::by_id(id)).collect::<Option<_>>()?),
        };
        Some(Recipe {
            form: Form::by_name(&self.form)?,
            bytes: base64_simd::STANDARD.decode_to_vec(&self.bytes).ok()?,
            broken,
            target: Target::by_name(&self.to).ok()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testee::Reference;

    #[test]
    fn the_same_run_is_the_same_input_and_a_stored_recipe_is_the_same_recipe() {
        let ways = ways(&Reference::introduction(), None, None);
        assert_eq!(ways.len(), generate::Dialect::ALL.len());
        let nothing = |_| -> Kept<'_> { unreachable!("nothing is kept") };
        let (base, _) = draw(1, 0, &ways, 300, 0, nothing);
        let kept = |_| -> Kept<'_> { (&base, &["orphan-result"]) };
        let mut defects = std::collections::BTreeSet::new();
        for run in 0..400 {
            let (recipe, made) = draw(1, run, &ways, 300, 1, kept);
            assert_eq!(draw(1, run, &ways, 300, 1, kept).1, made);
            let stored = Stored::from(&recipe);
            let text = serde_json::to_string(&stored).unwrap();
            let again: Stored = serde_json::from_str(&text).unwrap();
            assert_eq!(again.recipe().and_then(|recipe| recipe.made()), Some(made.clone()));
            defects.extend(made.faults);
        }
        assert!(defects.len() > 60, "{}", defects.len());
    }

    #[test]
    fn only_what_is_claimed_and_asked_for_is_a_way() {
        let mut hello = Reference::introduction();
        hello.conversions = vec![(Dialect::OpenAiChat, Dialect::AnthropicMessages)];
        let all = ways(&hello, None, None);
        assert_eq!(all.len(), 1);
        assert_eq!(all[0].targets[0].name, "anthropic.messages");
        assert!(all[0].targets.iter().all(|target| target.dialect == Dialect::AnthropicMessages));
        let one = ways(&hello, None, Target::by_name("anthropic").ok());
        assert_eq!(one[0].targets.len(), 1);
        assert!(ways(&hello, Form::by_name("mcp.prompt"), None).is_empty());
    }
}
