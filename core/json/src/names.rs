//! Which keys a text may hold.
//!
//! Readers ask for a field under every name that some program gives it, and nearly all of these names stand nowhere in a
//! text. So the parser sets one bit of some for each key, and whoever asks for one whose bit is not set has the answer.

/// A number that most keys do not share. Its lowest six bits tell the keys of one object apart.
#[inline]
pub(super) const fn digest(key: &[u8]) -> u32 {
    let (first, last) = match key {
        [] => (0, 0),
        [only] => (*only, *only),
        [first, .., last] => (*first, *last),
    };
    let length = key.len() as u32;
    ((first as u32 * 7) ^ (last as u32 * 3) ^ length ^ (length << 6)) & (BITS - 1)
}

const BITS: u32 = 128;

/// Keys by their digests.
#[derive(Clone, Debug, Default)]
pub(super) struct Names([u64; BITS as usize / 64]);

impl Names {
    /// Adds a key by its digest.
    #[inline]
    pub(super) fn add(&mut self, digest: u32) {
        self.0[(digest / 64) as usize] |= 1 << (digest % 64);
    }

    /// Adds every key there is.
    pub(super) fn add_any(&mut self) {
        self.0.fill(u64::MAX);
    }

    /// Whether a key with this digest may be among them.
    #[inline]
    pub(super) fn may_hold(&self, digest: u32) -> bool {
        self.0[(digest / 64) as usize] & 1 << (digest % 64) != 0
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Json, Limits, Value};

    #[test]
    fn every_key_of_a_text_may_be_in_it() {
        let text = r#"{"":1,"a":{"bc":[{"tool_call_id":2},{"\u00e9t\u00e9":3}]},"名":4,"x\"y":5}"#;
        let json = Json::parse(text, &Limits::default()).expect("JSON");
        let mut todo = vec![json.root()];
        let mut keys = 0;
        while let Some(value) = todo.pop() {
            todo.extend(value.items());
            for (key, member) in value.members() {
                let name = key.as_str().expect("a key is a string");
                assert_eq!(value.get(&name).map(Value::index), Some(member.index()), "{name}");
                keys += 1;
                todo.push(member);
            }
        }
        assert_eq!(keys, 7);
        // Of those that are none of its keys, most are known to be none.
        let plain = Json::parse(r#"{"role":"user","content":[{"type":"text","text":"hi"}]}"#, &Limits::default())
            .expect("JSON");
        let others =
            ["tool_calls", "tool_call_id", "refusal", "name", "audio", "isError", "is_error", "parts", "signature"];
        assert!(others.iter().filter(|name| plain.may_hold(name)).count() <= 1);
        assert!(["role", "content", "type", "text"].iter().all(|name| plain.may_hold(name)));
    }
}
