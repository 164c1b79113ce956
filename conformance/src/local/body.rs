//! Taking a body: as much as is allowed, in as much time as is allowed.

use http_body_util::BodyExt;
use hyper::body::{Body, Bytes};
use hyper::header::EXPECT;
use hyper::http::request::Parts;
use tokio::time::{Instant, timeout_at};

use super::Times;
use super::answer::Answer;

/// Most bytes that are read and thrown away, so that whoever sends them reads why they are not taken.
const SWALLOWED: u64 = 4 << 30;

/// The bytes of a body, or what to answer instead.
pub(super) async fn take<B>(head: &Parts, mut body: B, limit: usize, times: &Times) -> Result<Vec<u8>, Answer>
where
    B: Body<Data = Bytes> + Unpin,
{
    let path = head.uri.path();
    let announced = body.size_hint().lower();
    let large = |bytes: u64| bytes > limit as u64;
    if large(announced) && head.headers.contains_key(EXPECT) {
        // It asks before it sends.
        return Err(too_large(path, limit));
    }
    let (mut taken, mut count) = (Vec::new(), 0u64);
    let deadline = Instant::now() + times.body;
    loop {
        let Ok(frame) = timeout_at(deadline, body.frame()).await else {
            if large(count) || large(announced) {
                return Err(too_large(path, limit));
            }
            let words = format!("The body was not there after {} seconds.", times.body.as_secs());
            return Err(Answer::wrong(path, 408, "Too slow", &words));
        };
        let data = match frame {
            None => break,
            Some(Err(_)) => {
                let words = "The body ended before it was whole.";
                return Err(Answer::wrong(path, 400, "Cut short", words));
            }
            Some(Ok(frame)) => frame.into_data().unwrap_or_default(),
        };
        count += data.len() as u64;
        if large(count) || large(announced) {
            taken = Vec::new();
            if count > SWALLOWED {
                break;
            }
        } else {
            taken.extend_from_slice(&data);
        }
    }
    if large(count) { Err(too_large(path, limit)) } else { Ok(taken) }
}

fn too_large(path: &str, limit: usize) -> Answer {
    let words = format!(
        "This is more than the {} MiB that this page takes. `wirecanon serve --limit MIB` takes more, and `wirecanon fix FILE` \
         whatever fits into memory.",
        limit >> 20
    );
    Answer::wrong(path, 413, "Too large", &words)
}
