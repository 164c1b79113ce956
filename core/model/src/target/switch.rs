//! Limits of which servers, or reports of them, disagree: a target says which values there are, and where each was seen.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::Target;
use crate::error::{Error, ErrorKind};

/// One limit that the user chooses.
///
/// ```
/// use wirecanon_core::Target;
///
/// let switches = Target::by_name("mistral")?.all_switches();
/// let switch = switches.iter().find(|switch| switch.name == "user-after-tool").unwrap();
/// let values: Vec<_> = switch.values.iter().map(|value| value.name.as_str()).collect();
/// assert_eq!(values, ["accept", "refuse"]);
/// # Ok::<(), wirecanon_core::Error>(())
/// ```
#[derive(Clone, Debug, Deserialize, Serialize, PartialEq, Eq)]
#[serde(deny_unknown_fields)]
pub struct Switch {
    /// What `--set` calls it
    pub name: String,
    /// What it decides, in words
    pub title: String,
    /// What it may be; the first one holds where nothing is chosen
    pub values: Vec<SwitchValue>,
}

/// One value of a switch.
///
/// ```
/// use wirecanon_core::Target;
///
/// for switch in Target::by_name("mistral")?.all_switches() {
///     for value in &switch.values {
///         println!("--set {}={}: {}", switch.name, value.name, value.sources.join(", "));
///     }
/// }
/// # Ok::<(), wirecanon_core::Error>(())
/// ```
#[derive(Clone, Debug, Deserialize, Serialize, PartialEq, Eq)]
#[serde(deny_unknown_fields)]
pub struct SwitchValue {
    /// What `--set` calls it
    pub name: String,
    /// Where it was seen
    pub sources: Vec<String>,
    /// What it makes of the target: `section.key`, and the value
    #[serde(default)]
    pub set: BTreeMap<String, Setting>,
}

/// A value in a target file.
///
/// ```
/// use wirecanon_core::Target;
/// use wirecanon_core::target::Setting;
///
/// let switches = Target::by_name("mistral")?.all_switches();
/// let switch = switches.iter().find(|switch| switch.name == "user-after-tool").unwrap();
/// assert_eq!(switch.values[0].set["order.user_after_tool"], Setting::Bool(true));
/// # Ok::<(), wirecanon_core::Error>(())
/// ```
#[derive(Clone, Debug, Deserialize, Serialize, PartialEq, Eq)]
#[serde(untagged)]
pub enum Setting {
    /// `true` or `false`
    Bool(bool),
    /// A number
    Number(i64),
    /// A text
    Text(String),
    /// Texts
    List(Vec<String>),
}

/// The switch that every target has.
const PREFILL: &str = include_str!("../../targets/switch/prefill.toml");

impl Target {
    /// The switches of this target, and those that every target has.
    ///
    /// ```
    /// use wirecanon_core::Target;
    ///
    /// let switches = Target::by_name("mistral")?.all_switches();
    /// let names: Vec<_> = switches.iter().map(|switch| switch.name.as_str()).collect();
    /// assert!(names.contains(&"tool-images"), "its own");
    /// assert!(names.contains(&"prefill"), "that of every target");
    /// # Ok::<(), wirecanon_core::Error>(())
    /// ```
    ///
    /// # Panics
    ///
    /// When a file of the library is not a switch; a test reads them all.
    pub fn all_switches(&self) -> Vec<Switch> {
        let mut switches = self.switches.clone();
        let common: Switch = toml::from_str(PREFILL).unwrap_or_else(|error| panic!("targets/switch: {error}"));
        if switches.iter().all(|switch| switch.name != common.name) {
            switches.push(common);
        }
        switches
    }

    /// This target with one of its switches in another position.
    ///
    /// ```
    /// use wirecanon_core::Target;
    ///
    /// let mistral = Target::by_name("mistral")?;
    /// assert!(!mistral.media.in_results && mistral.with("tool-images", "accept")?.media.in_results);
    /// let error = mistral.with("tool-images", "yes").unwrap_err();
    /// assert_eq!(error.hint(), Some("there is: tool-images=refuse|accept"));
    /// # Ok::<(), wirecanon_core::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// It has no such switch, or the switch no such value; the error lists those that there are.
    pub fn with(&self, name: &str, value: &str) -> Result<Self, Error> {
        let mut target = self.set_switch(name, value)?;
        if !target.chosen.iter().any(|chosen| chosen == name) {
            target.chosen.push(name.to_owned());
        }
        Ok(target)
    }

    /// Returns this target with one of its switches in another position, as a profile sets it.
    pub(super) fn set_switch(&self, name: &str, value: &str) -> Result<Self, Error> {
        let switches = self.all_switches();
        let forms = |switch: &Switch| {
            let values: Vec<_> = switch.values.iter().map(|value| value.name.as_str()).collect();
            format!("{}={}", switch.name, values.join("|"))
        };
        let unknown = |message: String, known: Vec<String>| {
            Error::new(ErrorKind::UnknownName, message).with_hint(format!("there is: {}", known.join(", ")))
        };
        let Some(switch) = switches.iter().find(|switch| switch.name == name) else {
            let known = switches.iter().map(forms).collect();
            return Err(unknown(format!("`{}` has no switch `{name}`", self.name), known));
        };
        let Some(value) = switch.values.iter().find(|known| known.name == value) else {
            return Err(unknown(format!("the switch `{name}` has no value `{value}`"), vec![forms(switch)]));
        };
        self.with_value(switch, value)
    }

    /// This target with what one value of a switch sets.
    pub(super) fn with_value(&self, switch: &Switch, value: &SwitchValue) -> Result<Self, Error> {
        let broken = |what: String| {
            Error::new(ErrorKind::BadTarget, format!("the switch `{}={}`: {what}", switch.name, value.name))
                .with_hint("`set` has keys like \"order.prefill\" and values of their type")
        };
        let mut document = toml::Table::try_from(self).map_err(|error| broken(error.to_string()))?;
        for (way, setting) in &value.set {
            let Some((section, key)) = way.split_once('.') else {
                return Err(broken(format!("`{way}` has no section")));
            };
            let setting = toml::Value::try_from(setting).map_err(|error| broken(error.to_string()))?;
            let section = document.entry(section).or_insert_with(|| toml::Value::Table(toml::Table::new()));
            let Some(section) = section.as_table_mut() else {
                return Err(broken(format!("`{way}` stands in no section")));
            };
            section.insert(key.to_owned(), setting);
        }
        document.try_into().map_err(|error: toml::de::Error| broken(error.message().replace('\n', ", ")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_switch_changes_its_target_and_nothing_else() {
        let openai = Target::by_name("openai").expect("openai");
        let refusing = openai.with("prefill", "refuse").expect("a switch of every target");
        assert!(openai.order.prefill && !refusing.order.prefill);
        let mut back = refusing.clone();
        back.order.prefill = true;
        assert_eq!(back.chosen, ["prefill"]);
        back.chosen.clear();
        assert_eq!(&back, openai);
        assert_eq!(&refusing.set_switch("prefill", "accept").expect("back").order, &openai.order);
    }

    #[test]
    fn an_unknown_switch_or_value_lists_those_that_exist() {
        let openai = Target::by_name("openai").expect("openai");
        let said = openai.with("prefil", "refuse").expect_err("no such switch").to_string();
        assert!(said.contains("prefil") && said.contains("prefill=accept|refuse"), "{said}");
        let said = openai.with("prefill", "no").expect_err("no such value").to_string();
        assert!(said.contains("accept|refuse"), "{said}");
    }

    #[test]
    fn every_switch_has_two_values_that_differ_and_are_cited() {
        for target in Target::all() {
            for switch in target.all_switches() {
                assert!(switch.values.len() > 1, "{}: {}", target.name, switch.name);
                let made: Vec<_> = switch
                    .values
                    .iter()
                    .map(|value| {
                        assert!(!value.sources.is_empty(), "{}: {}={}", target.name, switch.name, value.name);
                        target.set_switch(&switch.name, &value.name).expect("a target")
                    })
                    .collect();
                assert_eq!(&made[0], target, "{}: the first value of {} is the default", target.name, switch.name);
                assert!(made.iter().skip(1).all(|other| other != target), "{}: {}", target.name, switch.name);
            }
        }
    }
}
