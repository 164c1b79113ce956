//! Profiles: switch positions that follow from the model that a request names, or from its settings.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::Target;
use crate::error::{Error, ErrorKind};
use crate::json::Value;

/// Switch positions for requests that name a model or carry a setting.
///
/// ```
/// use wirecanon_core::Target;
///
/// let anthropic = Target::by_name("anthropic")?;
/// let profile = anthropic.profiles.iter().find(|profile| profile.matches_model("claude-opus-4-8")).unwrap();
/// assert_eq!(profile.set["system"], "between");
/// # Ok::<(), wirecanon_core::Error>(())
/// ```
#[derive(Clone, Debug, Deserialize, Serialize, PartialEq, Eq)]
#[serde(deny_unknown_fields)]
pub struct Profile {
    /// Name in reports
    pub name: String,
    /// Patterns of model names, in which `*` matches any text; empty matches every request, even one without a model
    #[serde(default)]
    pub models: Vec<String>,
    /// Settings of the request body, by path (`thinking.type`), and the value that each must have; `*` is any value but null
    #[serde(default)]
    pub settings: BTreeMap<String, String>,
    /// Switches and their positions
    pub set: BTreeMap<String, String>,
    /// Reports and documents in which the model or the setting was seen
    pub sources: Vec<String>,
}

impl Profile {
    /// Returns whether one of the patterns matches a model name.
    ///
    /// ```
    /// use wirecanon_core::Target;
    ///
    /// let anthropic = Target::by_name("anthropic")?;
    /// assert!(anthropic.profiles.iter().any(|profile| profile.matches_model("claude-opus-4-8-20260301")));
    /// assert!(!anthropic.profiles.iter().any(|profile| profile.matches_model("gpt-5")));
    /// # Ok::<(), wirecanon_core::Error>(())
    /// ```
    pub fn matches_model(&self, model: &str) -> bool {
        let model = model.to_ascii_lowercase().replace("%2f", "/").replace("%3a", ":");
        self.models.iter().any(|pattern| {
            matches_pattern(pattern, &model)
                || model.rsplit_once('/').is_some_and(|(_, last)| matches_pattern(pattern, last))
        })
    }

    fn applies(&self, model: Option<&str>, body: Option<Value<'_>>) -> bool {
        let model_fits = self.models.is_empty() || model.is_some_and(|model| self.matches_model(model));
        model_fits
            && self.settings.iter().all(|(path, wanted)| body.is_some_and(|body| has_setting(body, path, wanted)))
    }
}

/// Returns whether the value at a dotted path of a body is `wanted`: the text of a string, or the JSON text of another scalar;
/// `*` is any value but null.
fn has_setting(body: Value<'_>, path: &str, wanted: &str) -> bool {
    let found = path.split('.').try_fold(body, Value::get);
    if wanted == "*" {
        return found.is_some_and(|value| !value.is_null());
    }
    found.is_some_and(|value| value.as_str().map_or_else(|| value.raw() == wanted, |text| text == wanted))
}

/// Returns whether `text` matches a pattern in which `*` stands for any text.
fn matches_pattern(pattern: &str, text: &str) -> bool {
    let Some((head, rest)) = pattern.split_once('*') else { return pattern == text };
    let Some(mut text) = text.strip_prefix(head) else { return false };
    let mut parts = rest.split('*').peekable();
    while let Some(part) = parts.next() {
        if parts.peek().is_none() {
            return text.ends_with(part);
        }
        match text.find(part) {
            Some(at) => text = &text[at + part.len()..],
            None => return false,
        }
    }
    true
}

impl Target {
    /// Returns this target for requests whose body names no model: the profiles of `model` apply to them.
    ///
    /// ```
    /// use wirecanon_core::{CheckOptions, Target, check};
    ///
    /// let late = br#"{"messages":[{"role":"user","content":"hi"},{"role":"system","content":"be brief"}]}"#;
    /// let anthropic = Target::by_name("anthropic")?;
    /// assert!(!check(late, &CheckOptions::new(anthropic).as_request())?.violations.is_empty());
    /// let opus = anthropic.for_model("claude-opus-4-8");
    /// assert!(check(late, &CheckOptions::new(&opus).as_request())?.violations.is_empty());
    /// # Ok::<(), wirecanon_core::Error>(())
    /// ```
    #[must_use]
    pub fn for_model(&self, model: &str) -> Self {
        Self { model: Some(model.to_owned()), ..self.clone() }
    }

    /// Returns the target with the profiles that apply to a request body, and the names of these profiles.
    ///
    /// A switch that was set with [`Target::with`] keeps its position.
    #[doc(hidden)]
    pub fn for_request(&self, body: Option<Value<'_>>) -> Result<(Cow<'_, Self>, Vec<String>), Error> {
        let mut target = Cow::Borrowed(self);
        let mut names = Vec::new();
        if self.profiles.is_empty() {
            return Ok((target, names));
        }
        let named = body.and_then(|body| ["model", "modelId"].iter().find_map(|key| body.get(key)?.as_str()));
        let model = named.as_deref().filter(|name| !name.is_empty()).or(self.model.as_deref());
        for profile in self.profiles.iter().filter(|profile| profile.applies(model, body)) {
            for (name, value) in profile.set.iter().filter(|(name, _)| !self.chosen.contains(name)) {
                target = Cow::Owned(target.set_switch(name, value)?);
            }
            names.push(profile.name.clone());
        }
        Ok((target, names))
    }

    /// Checks that each profile has a source and sets switches that exist.
    pub(super) fn check_profiles(&self) -> Result<(), Error> {
        for profile in &self.profiles {
            let invalid =
                |message: String| Error::new(ErrorKind::BadTarget, format!("profile `{}`: {message}", profile.name));
            if profile.sources.is_empty() || profile.models.is_empty() && profile.settings.is_empty() {
                return Err(invalid("it needs `sources`, and `models` or `settings`".to_owned()));
            }
            for (name, value) in &profile.set {
                self.set_switch(name, value).map_err(|error| invalid(error.to_string()))?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::{Json, Limits};

    #[test]
    fn patterns_match_whole_names() {
        for (pattern, text, expected) in [
            ("gemini-3*", "gemini-3-pro", true),
            ("gemini-3*", "gemini-2.5-pro", false),
            ("*nova*", "us.amazon.nova-lite-v1:0", true),
            ("a*b*c", "axxbyyc", true),
            ("a*b*c", "axxcyyb", false),
            ("mistral-tiny", "mistral-tiny", true),
            ("mistral-tiny", "mistral-tiny-2", false),
            ("*", "", true),
        ] {
            assert_eq!(matches_pattern(pattern, text), expected, "{pattern} {text}");
        }
    }

    #[test]
    fn every_model_that_a_profile_names_is_in_lower_case() {
        for profile in Target::all().iter().flat_map(|target| &target.profiles) {
            assert!(profile.models.iter().all(|model| *model == model.to_ascii_lowercase()), "{}", profile.name);
        }
    }

    #[test]
    fn a_chosen_switch_wins_over_a_profile() {
        let text = "name = \"t\"\ndialect = \"openai.chat\"\ntitle = \"T\"\nsources = [\"x\"]\n\
            [[switch]]\nname = \"place\"\ntitle = \"P\"\n\
            [[switch.values]]\nname = \"any\"\nsources = [\"x\"]\nset = { \"order.system\" = \"anywhere\" }\n\
            [[switch.values]]\nname = \"top\"\nsources = [\"x\"]\nset = { \"order.system\" = \"top\" }\n\
            [[profile]]\nname = \"old\"\nmodels = [\"old-*\"]\nset = { place = \"top\" }\nsources = [\"x\"]\n\
            [[profile]]\nname = \"off\"\nsettings = { \"thinking.type\" = \"disabled\" }\nset = { place = \"top\" }\nsources = [\"x\"]\n";
        let target = Target::from_toml(text).expect("a target");
        let applied = |target: &Target, body: &str| {
            let json = Json::parse(body, &Limits::default()).expect("JSON");
            let (target, names) = target.for_request(Some(json.root())).expect("a target");
            (target.order.system == super::super::SystemPlace::Top, names)
        };
        assert_eq!(applied(&target, r#"{"model":"old-1"}"#), (true, vec!["old".to_owned()]));
        assert_eq!(applied(&target, r#"{"model":"a/OLD-1"}"#), (true, vec!["old".to_owned()]));
        assert_eq!(applied(&target, r#"{"model":"new-1"}"#), (false, Vec::new()));
        assert_eq!(applied(&target, r#"{"thinking":{"type":"disabled"}}"#), (true, vec!["off".to_owned()]));
        assert_eq!(applied(&target.for_model("old-2"), "{}"), (true, vec!["old".to_owned()]));
        assert_eq!(applied(&target.for_model("old-2"), r#"{"model":"new"}"#), (false, Vec::new()));
        let chosen = target.with("place", "any").expect("a switch");
        assert_eq!(applied(&chosen, r#"{"model":"old-1"}"#), (false, vec!["old".to_owned()]));
    }
}
