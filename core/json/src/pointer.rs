//! JSON Pointers (RFC 6901): those of values, and the values of those.

use std::borrow::Cow;
use std::collections::HashMap;

use super::{Kind, Value};

/// Finds JSON Pointers of many values: in rising order at one step each, for it remembers, level by level, the child it took
/// last and goes on from there; in any other order at no more steps than twice `STRIDE` (64) a level, once a child was passed.
///
/// ```
/// use wirecanon_json::{Json, Limits, PointerCursor};
///
/// let json = Json::parse(r#"{"a":[1,2]}"#, &Limits::default())?;
/// let mut cursor = PointerCursor::default();
/// let pointers: Vec<_> = (0..json.len() as u32).map(|index| cursor.pointer(json.value(index))).collect();
/// assert_eq!(pointers, ["", "", "/a", "/a/0", "/a/1"]);
/// # Ok::<(), wirecanon_json::Error>(())
/// ```
#[derive(Debug, Default)]
pub struct PointerCursor {
    levels: Vec<Level>,
    /// The pointer that is being written
    out: String,
    /// Of each value that holds many: every so many-th child that was passed, in order
    passed: HashMap<u32, Vec<u32>>,
}

/// Of so many children one is remembered.
const STRIDE: usize = 64;

#[derive(Debug)]
struct Level {
    parent: u32,
    child: u32,
    ordinal: usize,
}

impl PointerCursor {
    /// The JSON Pointer of `value`. A key has the pointer of its object.
    ///
    /// ```
    /// use wirecanon_json::{Json, Limits, PointerCursor};
    ///
    /// let json = Json::parse(r#"{"messages":[{"role":"user"}]}"#, &Limits::default())?;
    /// let mut cursor = PointerCursor::default();
    /// let (key, list) = json.root().members().next().ok_or("no member")?;
    /// assert_eq!((cursor.pointer(key), cursor.pointer(list)), ("".to_owned(), "/messages".to_owned()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn pointer(&mut self, value: Value<'_>) -> String {
        self.pointer_to(value).to_owned()
    }

    /// The same, until the next one is asked for.
    #[doc(hidden)]
    pub fn pointer_to(&mut self, value: Value<'_>) -> &str {
        let json = value.json;
        self.out.clear();
        let mut at = 0;
        let mut depth = 0;
        while at != value.index {
            let object = json.value(at).is_object();
            let mut child = at + 1;
            let mut ordinal = 0;
            match self.levels.get(depth) {
                Some(level) if level.parent == at && level.child <= value.index => {
                    child = level.child;
                    ordinal = level.ordinal;
                }
                _ => self.levels.truncate(depth),
            }
            let mut has_leapt = false;
            // In an object `child` is a key; the member ends where its value does.
            loop {
                let holder = if object { child + 1 } else { child };
                let next = json.node(holder).next;
                if value.index < next {
                    break;
                }
                child = next;
                ordinal += 1;
                if ordinal.is_multiple_of(STRIDE) {
                    let passed = self.passed.entry(at).or_default();
                    // Children behind the last remembered one are remembered even when the cursor leapt to it.
                    if passed.len() < ordinal / STRIDE {
                        passed.push(child);
                        continue;
                    }
                    if std::mem::replace(&mut has_leapt, true) {
                        continue;
                    }
                    let count = passed.partition_point(|child| *child <= value.index);
                    if count * STRIDE > ordinal {
                        child = passed[count - 1];
                        ordinal = count * STRIDE;
                    }
                }
            }
            let level = Level { parent: at, child, ordinal };
            if depth < self.levels.len() {
                self.levels[depth] = level;
            } else {
                self.levels.push(level);
            }
            depth += 1;
            if object && value.index == child {
                break;
            }
            self.out.push('/');
            if object {
                let key = json.value(child).as_str().unwrap_or_default();
                self.out.push_str(&pointer_step(&key));
                at = child + 1;
            } else {
                push_number(&mut self.out, ordinal);
                at = child;
            }
        }
        &self.out
    }
}

/// Appends a number. Pointers are made of little else, and the machinery of formatting takes ten times as long.
#[doc(hidden)]
pub fn push_number(out: &mut String, number: usize) {
    if number >= 10 {
        push_number(out, number / 10);
    }
    out.push(char::from(b'0' + (number % 10) as u8));
}

/// A key as a step of a JSON Pointer (RFC 6901), without the slash in front.
///
/// ```
/// use wirecanon_json::pointer_step;
///
/// assert_eq!(pointer_step("image/png"), "image~1png");
/// ```
pub fn pointer_step(key: &str) -> Cow<'_, str> {
    if memchr::memchr2(b'~', b'/', key.as_bytes()).is_none() {
        return Cow::Borrowed(key);
    }
    Cow::Owned(key.replace('~', "~0").replace('/', "~1"))
}

/// The key that a step of a JSON Pointer names.
///
/// ```
/// use wirecanon_json::pointer_key;
///
/// assert_eq!(pointer_key("image~1png"), "image/png");
/// ```
pub fn pointer_key(step: &str) -> String {
    step.replace("~1", "/").replace("~0", "~")
}

/// The value that a JSON Pointer (RFC 6901) names below `root`, or `None`.
///
/// ```
/// use wirecanon_json::{Json, Limits, resolve};
///
/// let json = Json::parse(r#"{"messages":[{"role":"user"}]}"#, &Limits::default())?;
/// assert!(resolve(json.root(), "/messages/0/role").is_some_and(|role| role.is_str("user")));
/// assert!(resolve(json.root(), "/messages/1").is_none());
/// # Ok::<(), wirecanon_json::Error>(())
/// ```
pub fn resolve<'a>(root: Value<'a>, pointer: &str) -> Option<Value<'a>> {
    if pointer.is_empty() {
        return Some(root);
    }
    let mut at = root;
    for part in pointer.strip_prefix('/')?.split('/') {
        let part = pointer_key(part);
        at = match at.kind() {
            Kind::Object => at.get(&part)?,
            Kind::Array => at.items().nth(part.parse().ok()?)?,
            _ => return None,
        };
    }
    Some(at)
}

#[cfg(test)]
mod tests {
    use super::super::{Json, Limits};
    use super::*;

    /// Calls stand in the first half and their results in the second: a report goes back and forth between the two.
    #[test]
    fn children_that_are_passed_behind_a_leap_are_remembered() {
        let half = 10 * STRIDE;
        let text = format!("[{}0]", "0,".repeat(2 * half - 1));
        let json = Json::parse(&text, &Limits::default()).unwrap();
        let mut cursor = PointerCursor::default();
        for at in 0..half {
            for ordinal in [at, half + at] {
                assert_eq!(cursor.pointer(json.value(1 + ordinal as u32)), format!("/{ordinal}"));
                let furthest = if ordinal < half && at > 0 { half + at - 1 } else { ordinal };
                assert_eq!(cursor.passed.get(&0).map_or(0, Vec::len), furthest / STRIDE, "at {ordinal}");
            }
        }
    }
}
