//! Citations: reports of projects, and the addresses of sources.

/// The address of a citation: of a report on GitHub, a package, an RFC, a revision of MCP. Others are texts.
pub fn address(source: &str) -> Option<String> {
    let first = source.split([' ', ',']).next().unwrap_or_default();
    if let Some((repository, number)) = first.split_once('#') {
        let number: String = number.chars().take_while(char::is_ascii_digit).collect();
        let named =
            repository.split('/').filter(|part| is_name(part)).count() == 2 && repository.matches('/').count() == 1;
        return (named && !number.is_empty()).then(|| format!("https://github.com/{repository}/issues/{number}"));
    }
    if let Some((registry, package)) = first.split_once(':') {
        let (name, version) = package.rsplit_once('@')?;
        let plain = |text: &str| text.split('/').all(|part| is_name(part.trim_start_matches('@')));
        if !plain(name) || !is_name(version) {
            return None;
        }
        return match registry {
            "npm" => Some(format!("https://www.npmjs.com/package/{name}/v/{version}")),
            "pypi" => Some(format!("https://pypi.org/project/{name}/{version}/")),
            "crates" => Some(format!("https://crates.io/crates/{name}/{version}")),
            _ => None,
        };
    }
    let words: Vec<&str> = source.split([' ', ',']).collect();
    match words.as_slice() {
        ["RFC", number, ..] if number.bytes().all(|byte| byte.is_ascii_digit()) && !number.is_empty() => {
            let section = words.iter().position(|word| *word == "section").and_then(|at| words.get(at + 1));
            let section = section.filter(|section| is_name(section)).map(|section| format!("#section-{section}"));
            Some(format!("https://www.rfc-editor.org/rfc/rfc{number}{}", section.unwrap_or_default()))
        }
        // A revision is a date; others are names of what it defines.
        ["MCP", revision, ..] if revision.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-') => {
            Some(format!("https://modelcontextprotocol.io/specification/{revision}"))
        }
        _ => None,
    }
}

/// Returns whether a citation is a report: `owner/repository#12`.
pub fn is_report(source: &str) -> bool {
    source.split_once('#').is_some_and(|(repository, number)| {
        is_repository(repository)
            && !number.is_empty()
            && !number.starts_with('0')
            && number.bytes().all(|byte| byte.is_ascii_digit())
    })
}

/// Returns whether a text is `owner/repository`, as GitHub spells them.
pub fn is_repository(text: &str) -> bool {
    let is_part = |part: &str| {
        !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.'))
    };
    text.split_once('/').is_some_and(|(owner, name)| is_part(owner) && is_part(name))
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.+".contains(&byte))
}

#[cfg(test)]
mod tests {
    use super::address;

    #[test]
    fn citations_have_addresses_where_there_is_a_place() {
        for (source, wanted) in [
            ("openclaw/openclaw#110518", "https://github.com/openclaw/openclaw/issues/110518"),
            ("npm:ai@6.0.326 modelMessageSchema", "https://www.npmjs.com/package/ai/v/6.0.326"),
            ("npm:@ai-sdk/openai@2.0.1, x", "https://www.npmjs.com/package/@ai-sdk/openai/v/2.0.1"),
            ("pypi:cohere@7.3.1 ChatMessageV2", "https://pypi.org/project/cohere/7.3.1/"),
            ("RFC 8259 section 8.1", "https://www.rfc-editor.org/rfc/rfc8259#section-8.1"),
            ("RFC 8259, sections 4 and 6", "https://www.rfc-editor.org/rfc/rfc8259"),
            ("MCP 2025-11-25, ToolUseContent.input", "https://modelcontextprotocol.io/specification/2025-11-25"),
        ] {
            assert_eq!(address(source).as_deref(), Some(wanted), "{source}");
        }
        for source in [
            "MCP ImageContent",
            "Anthropic Messages API reference",
            "javascript:alert(1)@1",
            "a/b/c#1",
            "a/\"b#1",
            "OpenAI error: x#1",
            "#1",
        ] {
            assert_eq!(address(source), None, "{source}");
        }
    }
}
