//! Taking a body: as much as is allowed, in as much time as is allowed.

use std::time::Duration;

use http_body_util::BodyExt;
use hyper::body::{Body, Bytes};
use hyper::header::EXPECT;
use hyper::http::request::Parts;
use tokio::time::{Instant, timeout_at};

use super::Times;
use super::answer::Answer;

/// Most bytes of a refused body that are read and thrown away, so that a sender that reads no answer before it has sent
/// everything gets its answer.
const MAX_DISCARDED: u64 = 4 << 30;

/// Longest pause of the sender of a refused body.
const MAX_PAUSE: Duration = Duration::from_secs(2);

/// Refuses a body by the length that its head announces, before any of it is read.
pub(super) fn admit<B>(head: &Parts, body: B, limit: usize, times: &Times) -> Result<B, Answer>
where
    B: Body<Data = Bytes> + Unpin + Send + 'static,
{
    if body.size_hint().lower() <= limit as u64 {
        return Ok(body);
    }
    // A sender that asks first sends nothing after this answer.
    if !head.headers.contains_key(EXPECT) {
        discard(body, times);
    }
    Err(too_large(head.uri.path(), limit))
}

/// Reads a body.
///
/// # Errors
///
/// It is larger than the limit, too slow, or cut short. The answer says so.
pub(super) async fn take<B>(head: &Parts, mut body: B, limit: usize, times: &Times) -> Result<Vec<u8>, Answer>
where
    B: Body<Data = Bytes> + Unpin + Send + 'static,
{
    let path = head.uri.path();
    let mut taken = Vec::new();
    let deadline = Instant::now() + times.body;
    loop {
        let Ok(frame) = timeout_at(deadline, body.frame()).await else {
            let words = format!("The body was not there after {} seconds.", times.body.as_secs());
            return Err(Answer::wrong(path, 408, "Too slow", &words));
        };
        let data = match frame {
            None => return Ok(taken),
            Some(Err(_)) => {
                let words = "The body ended before it was whole.";
                return Err(Answer::wrong(path, 400, "Cut short", words));
            }
            Some(Ok(frame)) => frame.into_data().unwrap_or_default(),
        };
        if data.len() > limit - taken.len() {
            discard(body, times);
            return Err(too_large(path, limit));
        }
        taken.extend_from_slice(&data);
    }
}

/// Reads the rest of a refused body and throws it away, while its answer is sent.
fn discard<B>(mut body: B, times: &Times)
where
    B: Body<Data = Bytes> + Unpin + Send + 'static,
{
    let end = Instant::now() + times.body;
    tokio::spawn(async move {
        let mut count = 0;
        while let Ok(Some(Ok(frame))) = timeout_at(end.min(Instant::now() + MAX_PAUSE), body.frame()).await {
            count += frame.data_ref().map_or(0, |data| data.len() as u64);
            if count > MAX_DISCARDED {
                break;
            }
        }
    });
}

fn too_large(path: &str, limit: usize) -> Answer {
    let words = format!(
        "This is more than the {} MiB that this page takes. `wirecanon serve --limit MIB` takes more, and `wirecanon fix FILE` \
         whatever fits into memory.",
        limit >> 20
    );
    Answer::wrong(path, 413, "Too large", &words)
}
