//! Building an observation: turns in order, and results paired with the calls that they answer.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::ops::Range;

use hashbrown::{HashMap, HashSet};
use wirecanon_json::Value;
use wirecanon_model::Dialect;

use crate::approvals;
use crate::dialects::openai_responses;
use crate::observation::{
    Arguments, Attribute, Call, Content, Item, Media, Observation, Provider, Reasoning, Setting, Speaker, Tool,
    ToolResult, Turn,
};
use crate::unreadable::Read;
use crate::wire::{array, field};

impl<'a> Item<'a> {
    /// Creates an item without attributes.
    pub(crate) fn new(content: Content<'a>, place: Value<'a>) -> Self {
        Self { content, place, attributes: Vec::new() }
    }

    /// Creates a text item.
    pub(crate) fn text(text: Cow<'a, str>, place: Value<'a>) -> Self {
        Self::new(Content::Text(text), place)
    }

    /// Creates an item of a value: a text, if it is one.
    pub(crate) fn of_value(value: Value<'a>) -> Self {
        value.as_str().map_or(Self::new(Content::Data(value), value), |text| Self::text(text, value))
    }

    /// Creates an item of media.
    pub(crate) fn media(media: Media<'a>, place: Value<'a>) -> Self {
        Self::new(Content::Media(media), place)
    }

    /// Creates an item of reasoning.
    pub(crate) fn reasoning(text: Cow<'a, str>, signature: Option<Cow<'a, str>>, place: Value<'a>) -> Self {
        Self::new(Content::Reasoning(Reasoning { text, signature, is_redacted: false }), place)
    }

    /// Creates an item of encrypted reasoning.
    pub(crate) fn redacted(data: Option<Cow<'a, str>>, place: Value<'a>) -> Self {
        let reasoning = Reasoning { text: Cow::Borrowed(""), signature: data, is_redacted: true };
        Self::new(Content::Reasoning(reasoning), place)
    }

    /// Creates an item that only one dialect knows.
    pub(crate) fn provider(dialect: Dialect, kind: Cow<'a, str>, value: Value<'a>, readable: Vec<Item<'a>>) -> Self {
        Self::of_named(Cow::Borrowed(dialect.name()), kind, value, readable)
    }

    /// Creates an item that only the dialect of this name knows.
    pub(crate) fn of_named(
        dialect: Cow<'a, str>,
        kind: Cow<'a, str>,
        value: Value<'a>,
        readable: Vec<Item<'a>>,
    ) -> Self {
        Self::new(Content::Provider(Provider { dialect, kind, value, readable }), value)
    }

    /// Creates a tool call. Its number is set when it is added to an observation.
    pub(crate) fn call(
        id: Option<Cow<'a, str>>,
        name: Cow<'a, str>,
        arguments: Arguments<'a>,
        place: Value<'a>,
    ) -> Self {
        Self::new(Content::Call(Call { number: 0, id, name, arguments }), place)
    }

    /// Creates a tool result.
    pub(crate) fn result(result: ToolResult<'a>, place: Value<'a>) -> Self {
        Self::new(Content::Result(result), place)
    }

    /// Adds an attribute, if it has a value.
    pub(crate) fn with(mut self, attribute: Attribute, value: Option<Cow<'a, str>>) -> Self {
        self.attributes.extend(value.map(|value| (attribute, value)));
        self
    }

    /// Returns the text of a text item.
    pub fn as_text(&self) -> Option<&str> {
        if let Content::Text(text) = &self.content { Some(text) } else { None }
    }

    /// Returns the call of an item that is one.
    pub(crate) fn as_call(&self) -> Option<&Call<'a>> {
        if let Content::Call(call) = &self.content { Some(call) } else { None }
    }

    /// Returns the tool result of an item that is one.
    pub(crate) fn as_result(&self) -> Option<&ToolResult<'a>> {
        if let Content::Result(result) = &self.content { Some(result) } else { None }
    }
}

impl<'a> ToolResult<'a> {
    /// Creates a result that names the id of its call.
    pub(crate) fn new(id: Option<Cow<'a, str>>, items: Vec<Item<'a>>) -> Self {
        Self {
            call: None,
            id,
            name: None,
            is_error: None,
            is_synthetic: false,
            items,
            whole: None,
            listed: None,
            structured: None,
        }
    }

    /// Sets the name of the tool.
    pub(crate) fn named(mut self, name: Option<Cow<'a, str>>) -> Self {
        self.name = name;
        self
    }

    /// Sets whether the tool failed.
    pub(crate) fn failed(mut self, is_error: Option<bool>) -> Self {
        self.is_error = is_error;
        self
    }
}

/// Builds the observation of a document.
pub(crate) struct Builder<'a> {
    observation: Observation<'a>,
    reader: Dialect,
    calls: usize,
    reads_tools: bool,
    keeps_orphans: bool,
    ids_are_optional: bool,
    /// Returns whether a call says that it was cut off
    is_cut_off: fn(Value<'_>) -> bool,
    /// The calls of turns that broke off
    failed: Vec<Range<usize>>,
    /// Outputs of searches for tools
    found: Vec<Value<'a>>,
    /// The spaces and tools of each name
    spaces: HashMap<String, Vec<(String, String)>>,
}

impl<'a> Builder<'a> {
    pub(crate) fn new(dialect: Dialect, reader: Dialect, root: Value<'a>) -> Self {
        let observation = Observation {
            dialect,
            instructions: Vec::new(),
            turns: Vec::new(),
            tools: Vec::new(),
            context: Vec::new(),
            settings: Vec::new(),
            is_lone_result: false,
            root,
        };
        Self {
            observation,
            reader,
            calls: 0,
            reads_tools: true,
            keeps_orphans: false,
            ids_are_optional: false,
            is_cut_off,
            failed: Vec::new(),
            found: Vec::new(),
            spaces: HashMap::new(),
        }
    }

    /// Leaves out the definitions of tools.
    pub(crate) fn without_tools(self) -> Self {
        Self { reads_tools: false, ..self }
    }

    /// Returns the items of a field with definitions of tools: an array, or nothing where they are not read.
    pub(crate) fn definitions(&self, holder: Value<'a>, key: &str) -> Read<impl Iterator<Item = Value<'a>> + use<'a>> {
        let list = self.reads_tools.then(|| array(holder, key)).transpose()?;
        Ok(list.into_iter().flatten())
    }

    /// Returns the name of a tool in a space of names: both together, with a number where another tool is called so.
    pub(crate) fn name_in_space(&mut self, space: Option<&str>, name: Cow<'a, str>) -> Cow<'a, str> {
        let Some(space) = space.filter(|space| *space != name) else {
            self.spaces.entry(name.to_string()).or_default();
            return name;
        };
        let whole = format!("{space}{name}");
        let tool = (space.to_owned(), name.into_owned());
        let is_taken = self.spaces.contains_key(&whole);
        let tools = self.spaces.entry(whole.clone()).or_insert_with(|| vec![tool.clone()]);
        if is_taken && !tools.contains(&tool) {
            if tools.is_empty() {
                // A tool in no space is called so.
                tools.push((String::new(), whole.clone()));
            }
            tools.push(tool.clone());
        }
        let at = tools.iter().position(|known| *known == tool).unwrap_or_default();
        Cow::Owned(if at == 0 { whole } else { format!("{whole}_{}", at + 1) })
    }

    /// Returns the dialect of the documents that the observation is compared with.
    pub(crate) fn reader(&self) -> Dialect {
        self.reader
    }

    /// Adds a turn. System text before all other turns are the instructions.
    pub(crate) fn turn(&mut self, speaker: Speaker, place: Value<'a>, mut items: Vec<Item<'a>>) {
        if items.is_empty() {
            items.push(Item::text(Cow::Borrowed(""), place));
        }
        for item in &items {
            if let Content::Provider(provider) = &item.content
                && provider.is_of(Dialect::OpenAiResponses)
                && provider.kind == "tool_search_output"
            {
                self.found.push(provider.value);
            }
        }
        for item in &mut items {
            self.number(item);
        }
        self.observation.turns.push(Turn { speaker, items, place });
    }

    fn number(&mut self, item: &mut Item<'a>) {
        if let Content::Call(call) = &mut item.content {
            call.number = self.calls;
            self.calls += 1;
        }
    }

    /// Returns the number that the next call gets.
    pub(crate) fn next_call(&self) -> usize {
        self.calls
    }

    /// Adds a result as a turn of the tools.
    pub(crate) fn result(&mut self, result: ToolResult<'a>, place: Value<'a>) {
        self.result_item(Item::result(result, place), place);
    }

    /// Adds a result as a turn of the tools.
    pub(crate) fn result_item(&mut self, item: Item<'a>, place: Value<'a>) {
        match self.observation.turns.last_mut() {
            Some(turn) if turn.speaker == Speaker::Tool => turn.items.push(item),
            _ => self.observation.turns.push(Turn { speaker: Speaker::Tool, items: vec![item], place }),
        }
    }

    /// Adds a message; results that the user gives in it are turns of the tools.
    pub(crate) fn message(&mut self, speaker: Speaker, place: Value<'a>, items: Vec<Item<'a>>) {
        let mut turn = Vec::new();
        for item in items {
            let is_result = speaker == Speaker::User && matches!(item.content, Content::Result(_));
            if is_result && !turn.is_empty() {
                self.turn(speaker, place, std::mem::take(&mut turn));
            }
            if is_result {
                self.result_item(item, place);
            } else {
                turn.push(item);
            }
        }
        if !turn.is_empty() {
            self.turn(speaker, place, turn);
        }
    }

    /// Adds a definition of a tool.
    pub(crate) fn tool(&mut self, tool: Tool<'a>) {
        self.observation.tools.push(tool);
    }

    /// Adds the fields of a request that add to the conversation and that only the dialect has.
    pub(crate) fn context(&mut self, body: Value<'a>, fields: &[&'static str]) {
        let dialect = self.observation.dialect;
        for key in fields {
            if let Some(value) = field(body, key).filter(|value| !is_empty(*value)) {
                self.observation.context.push(Item::provider(dialect, Cow::Borrowed(key), value, Vec::new()));
            }
        }
    }

    /// Adds a setting of the request.
    pub(crate) fn setting(&mut self, setting: Setting<'a>) {
        self.observation.settings.push(setting);
    }

    /// Marks the document as one tool result alone.
    pub(crate) fn lone_result(&mut self) {
        self.observation.is_lone_result = true;
    }

    /// Adds a turn that broke off: its calls without a real result are not told to a model.
    pub(crate) fn failed_turn(&mut self, speaker: Speaker, place: Value<'a>, items: Vec<Item<'a>>) {
        let first = self.calls;
        self.turn(speaker, place, items);
        self.failed.push(first..self.calls);
    }

    /// Reads results without a call as items that only the dialect knows: the server may hold the call.
    pub(crate) fn keep_orphans(&mut self) {
        self.keeps_orphans = true;
    }

    /// Pairs results with an unknown id by the names of their tools: the server asks for no ids.
    pub(crate) fn ids_are_optional(&mut self) {
        self.ids_are_optional = true;
    }

    /// Keeps calls with a mark of an interrupted stream: the dialect says by the state of a call whether its input is complete.
    pub(crate) fn calls_have_states(&mut self) {
        self.is_cut_off = |_| false;
    }

    /// Adds the tools that searches for tools found and that are not defined otherwise.
    fn add_found_tools(&mut self) {
        let found = std::mem::take(&mut self.found);
        if found.is_empty() {
            return;
        }
        let mut known: HashSet<_> = self.observation.tools.iter().map(|tool| tool.name.clone()).collect();
        for output in found {
            for tool in field(output, "tools").into_iter().flat_map(Value::items) {
                let first = self.observation.tools.len();
                // A definition that cannot be read is no tool.
                if openai_responses::found_tool(self, tool).is_err() {
                    continue;
                }
                let new = self.observation.tools.split_off(first);
                self.observation.tools.extend(new.into_iter().filter(|tool| known.insert(tool.name.clone())));
            }
        }
    }

    /// Returns what was read, as it was read.
    pub(crate) fn into_written(self) -> Observation<'a> {
        self.observation
    }

    /// Separates the instructions and pairs results with their calls.
    pub(crate) fn finish(mut self) -> Observation<'a> {
        self.add_found_tools();
        let mut observation = self.observation;
        let leading = observation.turns.iter().take_while(|turn| turn.speaker == Speaker::System).count();
        let instructions = observation.turns.drain(..leading).flat_map(|turn| turn.items);
        observation.instructions = instructions.collect();
        mark_stand_ins(&mut observation.turns);
        approvals::settle(&mut observation.turns);
        pair(&mut observation.turns, self.ids_are_optional);
        let is_cut_off = self.is_cut_off;
        let cut_off = observation.items().filter_map(|item| item.as_call().filter(|_| is_cut_off(item.place)));
        let cut_off = cut_off.map(|call| call.number..call.number + 1);
        let failed: Vec<_> = self.failed.into_iter().chain(cut_off).filter(|calls| !calls.is_empty()).collect();
        if !failed.is_empty() {
            leave_out_failed_calls(&mut observation, &failed);
        }
        if self.keeps_orphans {
            orphans_as_items(&mut observation);
        }
        let is_alone = observation.items().nth(1).is_none();
        let is_orphan = |item: &Item<'_>| item.as_result().is_some_and(|result| result.call.is_none());
        let is_lone = is_alone && observation.items().any(is_orphan);
        Observation { is_lone_result: observation.is_lone_result || is_lone, ..observation }
    }
}

/// Texts that programs write in place of a result that never came, where nothing says that the result is no error.
const STAND_INS: [&str; 3] = [
    "[openclaw] missing tool result in session history; inserted synthetic error result for transcript repair.",
    "[lossless-claw] missing tool result in session history; inserted synthetic error result for transcript repair.",
    "[wirecanon: no result was recorded for this tool call]",
];

/// A text that stands in for a result where the result is an error.
const STAND_IN_OF_ERROR: &str = "No result provided";

/// Marks the results that a program wrote in place of one that never came.
fn mark_stand_ins(turns: &mut [Turn<'_>]) {
    for item in turns.iter_mut().flat_map(|turn| &mut turn.items) {
        let Content::Result(result) = &mut item.content else { continue };
        if let [item] = &result.items[..]
            && let Some(text) = item.as_text().map(str::trim)
        {
            result.is_synthetic |= result.is_error != Some(false) && STAND_INS.contains(&text)
                || result.is_error == Some(true) && text == STAND_IN_OF_ERROR;
        }
    }
}

/// Returns whether a value holds nothing.
fn is_empty(value: Value<'_>) -> bool {
    matches!(value.raw(), "\"\"") || value.is_array() && value.items().next().is_none()
}

/// Returns whether a call says that it was cut off while it streamed.
fn is_cut_off(call: Value<'_>) -> bool {
    let is_on = |key: &str| {
        call.get(key).is_some_and(|flag| {
            flag.as_bool() == Some(true)
                || flag.as_f64().is_some_and(|number| number != 0.0)
                || flag.as_str().is_some_and(|text| text.trim().eq_ignore_ascii_case("true"))
        })
    };
    call.get("partialJson").is_some_and(|value| !value.is_null()) || is_on("partial") || is_on("incomplete")
}

/// Leaves out calls that were cut off, and those of turns that failed, where nothing real answers them.
fn leave_out_failed_calls(observation: &mut Observation<'_>, failed: &[Range<usize>]) {
    let mut left_out: HashSet<usize> = failed.iter().cloned().flatten().collect();
    for result in observation.items().filter_map(Item::as_result).filter(|result| !result.is_synthetic) {
        result.call.map(|call| left_out.remove(&call));
    }
    for turn in &mut observation.turns {
        turn.items.retain(|item| match &item.content {
            Content::Call(call) => !left_out.contains(&call.number),
            Content::Result(ToolResult { call: Some(call), .. }) => !left_out.contains(call),
            _ => true,
        });
    }
}

/// Turns results without a call into items of the dialect, said by the user.
fn orphans_as_items(observation: &mut Observation<'_>) {
    let dialect = observation.dialect;
    for turn in &mut observation.turns {
        if turn.speaker != Speaker::Tool {
            continue;
        }
        let is_orphan = |item: &Item<'_>| item.as_result().is_some_and(|result| result.call.is_none());
        if !turn.items.iter().any(is_orphan) {
            continue;
        }
        let mut items = Vec::new();
        for item in std::mem::take(&mut turn.items) {
            if is_orphan(&item) {
                let kind = item.place.get("type").and_then(Value::as_str).unwrap_or_default();
                items.push(Item::provider(dialect, kind, item.place, vec![item]));
            } else {
                items.push(item);
            }
        }
        turn.items = items;
    }
}

/// The calls of one step that share an id or a name, in order, without those that are known to be answered.
#[derive(Default)]
struct Queue {
    step: usize,
    open: VecDeque<usize>,
    last: Option<usize>,
}

impl Queue {
    fn add(&mut self, step: usize, call: usize) {
        if self.step != step {
            self.open.clear();
            self.step = step;
        }
        self.open.push_back(call);
        self.last = Some(call);
    }

    /// Returns the first call that is not answered.
    fn first(&mut self, answered: &[bool]) -> Option<usize> {
        while self.open.front().is_some_and(|call| answered[*call]) {
            self.open.pop_front();
        }
        self.open.front().copied()
    }
}

/// Pairs results with the calls that they answer.
#[derive(Default)]
struct Pairing<'a> {
    ids_are_optional: bool,
    /// Some result has no id, or may have one that no call has
    is_by_name: bool,
    step: usize,
    answered: Vec<bool>,
    by_id: HashMap<Cow<'a, str>, Queue>,
    by_name: HashMap<Cow<'a, str>, Queue>,
    in_order: Queue,
    /// All calls of a name, for results that come late
    late: HashMap<Cow<'a, str>, Vec<usize>>,
}

impl<'a> Pairing<'a> {
    fn call(&mut self, call: &Call<'a>) {
        let number = call.number;
        self.answered.resize(self.answered.len().max(number + 1), false);
        if let Some(id) = &call.id {
            self.by_id.entry(id.clone()).or_default().add(self.step, number);
            if let Some((half, _)) = id.split_once('|') {
                self.by_id.entry(Cow::Owned(half.to_owned())).or_default().add(self.step, number);
            }
        }
        if !self.is_by_name {
            return;
        }
        self.by_name.entry(call.name.clone()).or_default().add(self.step, number);
        self.late.entry(call.name.clone()).or_default().push(number);
        self.in_order.add(self.step, number);
    }

    /// Finds the call by its id, among the last step that has it; without an id by the name of the tool, and then in order, among
    /// the calls of the last step.
    fn owner(&mut self, result: &ToolResult<'a>) -> Option<usize> {
        let answered = &self.answered;
        if let Some(id) = &result.id {
            let half = id.split_once('|').map_or(&**id, |(half, _)| half);
            let known = if self.by_id.contains_key(&**id) { id } else { half };
            match self.by_id.get_mut(known) {
                Some(queue) => return queue.first(answered).or(queue.last),
                None if self.ids_are_optional => {}
                None => return None,
            }
        }
        if let Some(name) = &result.name {
            let same_name = self.by_name.get_mut(name).filter(|queue| queue.step == self.step);
            if let Some(call) = same_name.and_then(|queue| queue.first(answered)) {
                return Some(call);
            }
            let late = self.late.get_mut(name);
            if let Some(late) = late {
                while late.last().is_some_and(|call| answered[*call]) {
                    late.pop();
                }
                if let Some(call) = late.last() {
                    return Some(*call);
                }
            }
        }
        self.in_order.first(answered)
    }
}

fn pair(turns: &mut [Turn<'_>], ids_are_optional: bool) {
    let is_without_id = |item: &Item<'_>| item.as_result().is_some_and(|result| result.id.is_none());
    let is_by_name = ids_are_optional || turns.iter().flat_map(|turn| &turn.items).any(is_without_id);
    let mut pairing = Pairing { ids_are_optional, is_by_name, ..Pairing::default() };
    let mut is_open = false;
    for turn in turns {
        if turn.speaker == Speaker::Assistant {
            pairing.step += usize::from(!is_open);
            is_open = true;
        } else if !turn.items.is_empty() {
            is_open = false;
        }
        for item in &mut turn.items {
            match &mut item.content {
                Content::Call(call) => pairing.call(call),
                Content::Result(result) => {
                    result.call = result.call.or_else(|| pairing.owner(result));
                    if let Some(answered) = result.call.and_then(|call| pairing.answered.get_mut(call)) {
                        *answered = true;
                    }
                }
                _ => {}
            }
        }
    }
}
