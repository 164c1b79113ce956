//! Names of tools that are not the tool's.

use wirecanon_core::transcript::Transcript;

use crate::mutant::{Mutant, Wrong, steps};
use crate::walk;

pub(crate) const MUTANTS: &[Mutant] = &[
    Mutant {
        id: "results-of-an-unknown-tool",
        does: "Every result says that its tool is `unknown`.",
        source: "volcengine/OpenViking#1632",
        breaks: "P4",
        wrong: Wrong::Steps(steps![After("repair", "pairing", |it| of_tool(it, "unknown"))]),
    },
    Mutant {
        id: "results-of-no-tool",
        does: "The name of the tool is left empty in every result.",
        source: "binaricat/Netcatty#350",
        breaks: "P1",
        wrong: Wrong::Steps(steps![After("repair", "pairing", |it| of_tool(it, ""))]),
    },
    Mutant {
        id: "names-cut-until-they-collide",
        does: "Names are cut at 64 characters, and two tools become one.",
        source: "microsoft/vscode#243602",
        breaks: "P10",
        wrong: Wrong::Steps(steps![Instead("write", "names", cut)]),
    },
    Mutant {
        id: "names-with-underscores-until-they-collide",
        does: "Every odd character of a name becomes `_`, and two tools become one.",
        source: "apify/tester-mcp-client#11",
        breaks: "P10",
        wrong: Wrong::Steps(steps![Instead("write", "names", underscores)]),
    },
    Mutant {
        id: "names-sent-as-they-stand",
        does: "Names with characters that the server refuses are sent as they stand.",
        source: "mcp-use/mcp-use#90",
        breaks: "P1",
        wrong: Wrong::Steps(steps![Without("write", "names")]),
    },
    Mutant {
        id: "names-changed-in-calls-alone",
        does: "The name of a tool is respelled in its calls, and not in their results.",
        source: "hackers365/xiaozhi-esp32-server-golang#268",
        breaks: "P1",
        wrong: Wrong::Steps(steps![After("repair", "pairing", underscores_in_calls)]),
    },
];

fn of_tool(transcript: &mut Transcript<'_>, name: &'static str) {
    walk::results(transcript, |head| {
        head.tool_name = Some(name.into());
        true
    });
}

fn cut(transcript: &mut Transcript<'_>) {
    walk::names(transcript, |name| name.chars().take(64).collect());
}

fn plain(name: &str) -> String {
    name.replace(|c: char| !c.is_ascii_alphanumeric(), "_")
}

fn underscores(transcript: &mut Transcript<'_>) {
    walk::names(transcript, plain);
}

fn underscores_in_calls(transcript: &mut Transcript<'_>) {
    walk::calls(transcript, |call| walk::respelled(&mut call.name, plain));
}
