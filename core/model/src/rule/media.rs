//! Rules of the class `image-media-malformed`.

use super::{Class, Example, Rule};

/// An image holds data: a non-empty base64 string.
pub static IMAGE_WITHOUT_DATA: Rule = Rule {
    id: "image-without-data",
    class: Class::Media,
    statement: "An image holds data: a non-empty base64 string.",
    sources: &[
        "openclaw/openclaw#90710",
        "openclaw/openclaw#68037",
        "anthropics/claude-code#12750",
        "openai/codex#22886",
        "MCP ImageContent",
        "Anthropic error: image.source.base64: image cannot be empty",
        "OpenAI Responses error: Expected a base64-encoded data URL with an image MIME type …, but got empty base64-encoded bytes.",
    ],
    holds: &[],
    example: Ok(Example {
        from: "openclaw",
        to: "openclaw",
        broken: br#"{"messages":[
  {"role":"user","content":"go"},
  {"role":"assistant","content":[{"type":"toolCall","id":"c1","name":"read","arguments":{"path":"a.txt"}}]},
  {"role":"toolResult","toolCallId":"c1","toolName":"read","content":[{"type":"text","text":"shot taken"},{"type":"image","mimeType":"image/png"}],"isError":false}
]}"#,
        mended: r#"{"messages":[
  {"role":"user","content":"go"},
  {"role":"assistant","content":[{"type":"toolCall","id":"c1","name":"read","arguments":{"path":"a.txt"}}]},
  {"role":"toolResult","toolCallId":"c1","toolName":"read","content":[{"type":"text","text":"shot taken"},{"type":"text","text":"[wirecanon: image left out: no data (image/png)]"}],"isError":false}
]}"#,
    }),
};

/// The data of an image is base64.
pub static IMAGE_DATA_NOT_BASE64: Rule = Rule {
    id: "image-data-not-base64",
    class: Class::Media,
    statement: "The data of an image is base64.",
    sources: &[
        "openclaw/openclaw#18212",
        "openclaw/openclaw#86878",
        "Yeachan-Heo/gajae-code#2813",
        "sipherxyz/comfyui-art-venture#75",
        "Anthropic error: image.source.base64: invalid base64 data",
        "OpenAI error: Invalid base64 image_url.",
    ],
    holds: &[],
    example: Ok(Example {
        from: "openclaw",
        to: "openclaw",
        broken: br#"{"messages":[
  {"role":"user","content":"go"},
  {"role":"assistant","content":[{"type":"toolCall","id":"c1","name":"read","arguments":{"path":"a.txt"}}]},
  {"role":"toolResult","toolCallId":"c1","toolName":"read","content":[{"type":"image","data":"[image omitted]","mimeType":"image/png"}],"isError":false}
]}"#,
        mended: r#"{"messages":[
  {"role":"user","content":"go"},
  {"role":"assistant","content":[{"type":"toolCall","id":"c1","name":"read","arguments":{"path":"a.txt"}}]},
  {"role":"toolResult","toolCallId":"c1","toolName":"read","content":[{"type":"text","text":"[wirecanon: image left out: data is not base64 (image/png)]"}],"isError":false}
]}"#,
    }),
};

/// The data of an image is base64 alone, without a data URL in front.
pub static IMAGE_DATA_URL_PREFIX: Rule = Rule {
    id: "image-data-url-prefix",
    class: Class::Media,
    statement: "The data of an image is base64 alone, without a data URL in front.",
    sources: &[
        "openclaw/openclaw#18219",
        "ollama/ollama-js#68",
        "felixarntz/ai-services#19",
        "livekit/agents#3867",
        "Anthropic error: image.source.base64: invalid base64 data",
    ],
    holds: &["canonical", "openclaw", "anthropic.messages", "gemini.contents", "bedrock.converse", "ollama.chat", "langchain", "mcp.tool-result", "mcp.sampling", "openai-responses"],
    example: Ok(Example {
        from: "openclaw",
        to: "openclaw",
        broken: br#"{"messages":[
  {"role":"user","content":"go"},
  {"role":"assistant","content":[{"type":"toolCall","id":"c1","name":"read","arguments":{"path":"a.txt"}}]},
  {"role":"toolResult","toolCallId":"c1","toolName":"read","content":[{"type":"image","data":"data:image/png;base64,iVBORw0KGgo=","mimeType":"image/png"}],"isError":false}
]}"#,
        mended: r#"{"messages":[
  {"role":"user","content":"go"},
  {"role":"assistant","content":[{"type":"toolCall","id":"c1","name":"read","arguments":{"path":"a.txt"}}]},
  {"role":"toolResult","toolCallId":"c1","toolName":"read","content":[{"type":"image","data":"iVBORw0KGgo=","mimeType":"image/png"}],"isError":false}
]}"#,
    }),
};

/// Base64 is spelled in the standard alphabet, padded, without white space or stray bits.
pub static IMAGE_BASE64_NOT_CANONICAL: Rule = Rule {
    id: "image-base64-not-canonical",
    class: Class::Media,
    statement: "Base64 is spelled in the standard alphabet, padded, without white space or stray bits.",
    sources: &[
        "openclaw/openclaw#111235",
        "Helicone/helicone#4223",
        "NousResearch/hermes-agent#69078",
        "cline/cline#10926",
        "RFC 4648, section 4",
    ],
    holds: &[],
    example: Ok(Example {
        from: "openclaw",
        to: "openclaw",
        broken: br#"{"messages":[
  {"role":"user","content":"go"},
  {"role":"assistant","content":[{"type":"toolCall","id":"c1","name":"read","arguments":{"path":"a.txt"}}]},
  {"role":"toolResult","toolCallId":"c1","toolName":"read","content":[{"type":"image","data":"iVBORw0KGgo","mimeType":"image/png"}],"isError":false}
]}"#,
        mended: r#"{"messages":[
  {"role":"user","content":"go"},
  {"role":"assistant","content":[{"type":"toolCall","id":"c1","name":"read","arguments":{"path":"a.txt"}}]},
  {"role":"toolResult","toolCallId":"c1","toolName":"read","content":[{"type":"image","data":"iVBORw0KGgo=","mimeType":"image/png"}],"isError":false}
]}"#,
    }),
};

/// An image says what kind it is.
pub static IMAGE_TYPE_MISSING: Rule = Rule {
    id: "image-type-missing",
    class: Class::Media,
    statement: "An image says what kind it is.",
    sources: &[
        "openclaw/openclaw#18226",
        "earendil-works/pi#1801",
        "MCP ImageContent",
        "Anthropic error: image.source.base64.media_type: Field required",
    ],
    holds: &[],
    example: Ok(Example {
        from: "openclaw",
        to: "openclaw",
        broken: br#"{"messages":[
  {"role":"user","content":"go"},
  {"role":"assistant","content":[{"type":"toolCall","id":"c1","name":"read","arguments":{"path":"a.txt"}}]},
  {"role":"toolResult","toolCallId":"c1","toolName":"read","content":[{"type":"image","data":"iVBORw0KGgo="}],"isError":false}
]}"#,
        mended: r#"{"messages":[
  {"role":"user","content":"go"},
  {"role":"assistant","content":[{"type":"toolCall","id":"c1","name":"read","arguments":{"path":"a.txt"}}]},
  {"role":"toolResult","toolCallId":"c1","toolName":"read","content":[{"type":"image","data":"iVBORw0KGgo=","mimeType":"image/png"}],"isError":false}
]}"#,
    }),
};

/// The declared kind of an image is what its bytes say.
pub static IMAGE_TYPE_MISMATCH: Rule = Rule {
    id: "image-type-mismatch",
    class: Class::Media,
    statement: "The declared kind of an image is what its bytes say.",
    sources: &[
        "vybestack/llxprt-code#2130",
        "1jehuang/jcode#465",
        "anthropics/claude-code#12009",
        "vercel/ai#7939",
        "Anthropic error: The image was specified using the image/png media type, but the image appears to be a image/jpeg image",
    ],
    holds: &[
        "canonical",
        "openclaw",
        "anthropic.messages",
        "bedrock.converse",
        "langchain",
        "openai.chat",
        "openai.responses",
        "mcp.tool-result",
        "mcp.prompt",
        "mcp.sampling",
    ],
    example: Ok(Example {
        from: "openclaw",
        to: "openclaw",
        broken: br#"{"messages":[
  {"role":"user","content":"go"},
  {"role":"assistant","content":[{"type":"toolCall","id":"c1","name":"read","arguments":{"path":"a.txt"}}]},
  {"role":"toolResult","toolCallId":"c1","toolName":"read","content":[{"type":"image","data":"iVBORw0KGgo=","mimeType":"image/jpeg"}],"isError":false}
]}"#,
        mended: r#"{"messages":[
  {"role":"user","content":"go"},
  {"role":"assistant","content":[{"type":"toolCall","id":"c1","name":"read","arguments":{"path":"a.txt"}}]},
  {"role":"toolResult","toolCallId":"c1","toolName":"read","content":[{"type":"image","data":"iVBORw0KGgo=","mimeType":"image/png"}],"isError":false}
]}"#,
    }),
};

/// The bytes of an image are a picture that a known header opens.
pub static IMAGE_NOT_AN_IMAGE: Rule = Rule {
    id: "image-not-an-image",
    class: Class::Media,
    statement: "The bytes of an image are a picture that a known header opens.",
    sources: &[
        "anthropics/claude-code#55338",
        "anthropics/claude-code#28684",
        "Anthropic error: Could not process image",
        "OpenAI error: You uploaded an unsupported image. Please make sure your image has of one the following formats: …",
    ],
    holds: &[
        "canonical",
        "openclaw",
        "anthropic.messages",
        "openai.chat",
        "gemini.contents",
        "ollama.chat",
        "mcp.tool-result",
        "mcp.prompt",
        "mcp.sampling",
    ],
    example: Ok(Example {
        from: "openclaw",
        to: "openclaw",
        broken: br#"{"messages":[
  {"role":"user","content":"go"},
  {"role":"assistant","content":[{"type":"toolCall","id":"c1","name":"read","arguments":{"path":"a.txt"}}]},
  {"role":"toolResult","toolCallId":"c1","toolName":"read","content":[{"type":"image","data":"PGh0bWw+NDA0PC9odG1sPg==","mimeType":"image/png"}],"isError":false}
]}"#,
        mended: r#"{"messages":[
  {"role":"user","content":"go"},
  {"role":"assistant","content":[{"type":"toolCall","id":"c1","name":"read","arguments":{"path":"a.txt"}}]},
  {"role":"toolResult","toolCallId":"c1","toolName":"read","content":[{"type":"text","text":"[wirecanon: image left out: not a picture (image/png)]"}],"isError":false}
]}"#,
    }),
};

/// The target takes this kind of picture.
pub static IMAGE_TYPE_NOT_ACCEPTED: Rule = Rule {
    id: "image-type-not-accepted",
    class: Class::Media,
    statement: "The target takes this kind of picture.",
    sources: &[
        "openclaw/openclaw#102323",
        "anomalyco/opencode#4052",
        "anomalyco/opencode#21114",
        "openai/codex#7459",
        "Mai-with-u/MaiBot#1435",
        "google-gemini/gemini-cli#3054",
        "Anthropic error: media_type: Input should be 'image/jpeg', 'image/png', 'image/gif' or 'image/webp'",
        "OpenAI error: The image data you provided does not represent a valid image. … one of the supported image formats: …",
        "Gemini error: Unsupported MIME type: image/…",
    ],
    holds: &["anthropic.messages", "openai", "mistral", "ollama", "ollama-cloud", "ollama-openai", "xai", "deepseek", "groq", "gemini-openai", "cerebras", "openrouter", "kimi", "openai-responses", "openai-codex", "gemini", "gemini-3", "gemini-3.6", "vertex", "bedrock", "cohere", "openviking", "bedrock.converse"],
    example: Ok(Example {
        from: "canonical",
        to: "anthropic",
        broken: br#"{"messages":[
  {"role":"user","content":[{"type":"text","text":"What is this?"},{"type":"image","data":"SUkqAAgAAAA=","mimeType":"image/tiff"}]}
]}"#,
        mended: r#"{"messages":[{"role":"user","content":[{"type":"text","text":"What is this?"},{"type":"text","text":"[wirecanon: image left out: the target does not take this kind (image/tiff)]"}]}]}"#,
    }),
};

/// The target takes this kind of file.
pub static FILE_NOT_ACCEPTED: Rule = Rule {
    id: "file-not-accepted",
    class: Class::Media,
    statement: "The target takes this kind of file.",
    sources: &[
        "strands-agents/harness-sdk#2218",
        "maximhq/bifrost#5947",
        "langchain-ai/langchain#37576",
        "langchain-ai/langchainjs#11156",
        "Anthropic Messages API reference, DocumentBlockParam",
        "Anthropic error: document.source.base64.media_type: Input should be 'application/pdf'",
    ],
    holds: &[],
    example: Ok(Example {
        from: "canonical",
        to: "anthropic",
        broken: br#"{"messages":[
  {"role":"user","content":[{"type":"text","text":"Unpack this."},{"type":"file","data":"UEsDBA==","mimeType":"application/zip","name":"logs.zip"}]}
]}"#,
        mended: r#"{"messages":[{"role":"user","content":[{"type":"text","text":"Unpack this."},{"type":"text","text":"[wirecanon: file left out: logs.zip (application/zip)]"}]}]}"#,
    }),
};

/// A picture or document by address holds an address that can be fetched, or the id of a file.
pub static MEDIA_WITHOUT_ADDRESS: Rule = Rule {
    id: "media-without-address",
    class: Class::Media,
    statement: "A picture or document by address holds an address that can be fetched, or the id of a file, and not its bytes.",
    sources: &["openclaw/openclaw#68037"],
    holds: &[
        "canonical",
        "anthropic.messages",
        "openai.chat",
        "openai.responses",
        "gemini.contents",
        "mistral.chat",
        "cohere.v2",
        "ai-sdk.ui",
    ],
    example: Ok(Example {
        from: "anthropic.messages",
        to: "anthropic",
        broken: br#"{"messages":[
  {"role":"user","content":[{"type":"text","text":"What is this?"},{"type":"image","source":{"type":"url","url":""}}]}
]}"#,
        mended: r#"{"messages":[
  {"role":"user","content":[{"type":"text","text":"What is this?"},{"type":"text","text":"[wirecanon: image left out: no data]"}]}
]}"#,
    }),
};

/// A document or recording holds data: a non-empty base64 string.
pub static FILE_WITHOUT_DATA: Rule = Rule {
    id: "file-without-data",
    class: Class::Media,
    statement: "A document or recording holds data: a non-empty base64 string.",
    sources: &["openclaw/openclaw#68037", "MCP AudioContent"],
    holds: &["canonical", "anthropic.messages", "openai.chat", "openai.responses", "gemini.contents", "bedrock.converse", "mistral.chat", "langchain", "mcp.tool-result"],
    example: Ok(Example {
        from: "canonical",
        to: "canonical",
        broken: br#"{"messages":[
  {"role":"user","content":[{"type":"text","text":"Sum this up."},{"type":"file","data":"","mimeType":"application/pdf","name":"a.pdf"}]}
]}"#,
        mended: r#"{"messages":[
  {"role":"user","content":[{"type":"text","text":"Sum this up."},{"type":"text","text":"{\"type\":\"file\",\"data\":\"\",\"mimeType\":\"application/pdf\",\"name\":\"a.pdf\"}"}]}
]}"#,
    }),
};

/// The data of a document or recording is base64 in its standard, padded spelling.
pub static FILE_DATA_NOT_BASE64: Rule = Rule {
    id: "file-data-not-base64",
    class: Class::Media,
    statement: "The data of a document or recording is base64 in its standard, padded spelling.",
    sources: &["anthropics/claude-code#5174", "CherryHQ/cherry-studio#14110", "juspay/neurolink#211", "RFC 4648, section 4"],
    holds: &["canonical", "anthropic.messages", "openai.chat", "gemini.contents", "langchain", "mcp.tool-result", "openai-responses"],
    example: Ok(Example {
        from: "mcp.tool-result",
        to: "mcp.tool-result",
        broken: br#"{"content":[{"type":"text","text":"recorded"},{"type":"audio","data":"not base64!","mimeType":"audio/wav"}]}"#,
        mended: r#"{"content":[{"type":"text","text":"recorded"},{"type":"text","text":"[audio audio/wav]"}]}"#,
    }),
};

/// The bytes of a file that says that it is a PDF are one.
pub static FILE_NOT_A_PDF: Rule = Rule {
    id: "file-not-a-pdf",
    class: Class::Media,
    statement: "The bytes of a file that says that it is a PDF have the header of one within their first 1024.",
    sources: &[
        "anthropics/claude-code#25323",
        "anthropics/claude-code#19577",
        "Anthropic error: The PDF specified was not valid.",
        "ISO 32000-1, annex H.3",
    ],
    holds: &["canonical", "anthropic.messages", "openai.chat", "openai.responses", "gemini.contents", "bedrock.converse", "mistral.chat", "langchain", "ai-sdk.model", "ai-sdk.ui"],
    example: Ok(Example {
        from: "anthropic.messages",
        to: "anthropic.messages",
        broken: br#"{"messages":[
  {"role":"user","content":[{"type":"text","text":"Sum this up."},{"type":"document","source":{"type":"base64","media_type":"application/pdf","data":"PGh0bWw+NDA0PC9odG1sPg=="},"title":"a.pdf"}]}
]}"#,
        mended: r#"{"messages":[
  {"role":"user","content":[{"type":"text","text":"Sum this up."},{"type":"text","text":"[wirecanon: file left out: a.pdf (application/pdf)]"}]}
]}"#,
    }),
};

/// A document or recording says what kind it is.
pub static FILE_TYPE_MISSING: Rule = Rule {
    id: "file-type-missing",
    class: Class::Media,
    statement: "A document or recording says what kind it is.",
    sources: &["openclaw/openclaw#68037", "MCP AudioContent"],
    holds: &[
        "canonical",
        "anthropic.messages",
        "openai.chat",
        "gemini.contents",
        "ai-sdk.model",
        "ai-sdk.ui",
        "mcp.tool-result",
        "openai-responses",
    ],
    example: Ok(Example {
        from: "mcp.tool-result",
        to: "mcp.tool-result",
        broken: br#"{"content":[{"type":"text","text":"recorded"},{"type":"audio","data":"UklGRg=="}]}"#,
        mended: r#"{"content":[{"type":"text","text":"recorded"},{"type":"text","text":"{\"type\":\"audio\",\"data\":\"UklGRg==\"}"}]}"#,
    }),
};

/// A document has a name where the target asks for one.
pub static FILE_NAME_MISSING: Rule = Rule {
    id: "file-name-missing",
    class: Class::Media,
    statement: "A document has a name where the target asks for one.",
    sources: &["maximhq/bifrost#7027", "pypi:botocore@1.44.5: DocumentBlock requires `name`"],
    holds: &["bedrock.converse"],
    example: Ok(Example {
        from: "bedrock.converse",
        to: "bedrock",
        broken: br#"{"messages":[
  {"role":"user","content":[{"text":"Read this."},{"document":{"format":"txt","source":{"bytes":"aGVsbG8="}}}]}
]}"#,
        mended: r#"{"messages":[
  {"role":"user","content":[{"text":"Read this."},{"document":{"format":"txt","source":{"bytes":"aGVsbG8="},"name":"document"}}]}
]}"#,
    }),
};

/// The name of a document has the characters that the target takes.
pub static FILE_NAME_CHARACTERS: Rule = Rule {
    id: "file-name-characters",
    class: Class::Media,
    statement: "The name of a document has the characters, and the length, that the target takes.",
    sources: &[
        "Amazon Bedrock API Reference, DocumentBlock: alphanumeric characters, whitespace (no more than one in a row), hyphens, parentheses and square brackets",
        "aws-samples/generative-ai-use-cases#1671",
        "aws-samples/generative-ai-use-cases#1685",
        "strands-agents/harness-sdk#3019",
        "ansari-project/ansari-backend#158",
        "simonw/llm-bedrock#8",
        "anomalyco/opencode#19964",
        "Bedrock error: The document file name can only contain alphanumeric characters, whitespace characters, hyphens, parentheses, and square brackets.",
    ],
    holds: &["bedrock.converse", "anthropic.messages"],
    example: Ok(Example {
        from: "bedrock.converse",
        to: "bedrock",
        broken: br#"{"messages":[
  {"role":"user","content":[{"text":"Read this."},{"document":{"format":"txt","name":"notes_2.txt","source":{"bytes":"aGVsbG8="}}}]}
]}"#,
        mended: r#"{"messages":[
  {"role":"user","content":[{"text":"Read this."},{"document":{"format":"txt","name":"notes_2-txt","source":{"bytes":"aGVsbG8="}}}]}
]}"#,
    }),
};

/// No two documents of a request have one name.
pub static DUPLICATE_FILE_NAME: Rule = Rule {
    id: "duplicate-file-name",
    class: Class::Media,
    statement: "No two documents of a request have one name where the target asks for names.",
    sources: &[
        "maximhq/bifrost#7003",
        "BerriAI/litellm#29418",
        "ag-ui-protocol/ag-ui#2425",
        "Bedrock error: Messages can't contain duplicate document names. Rename the document and retry your request.",
    ],
    holds: &["bedrock.converse"],
    example: Ok(Example {
        from: "bedrock.converse",
        to: "bedrock",
        broken: br#"{"messages":[
  {"role":"user","content":[{"text":"Compare."},{"document":{"format":"txt","name":"notes","source":{"bytes":"aGVsbG8="}}},{"document":{"format":"txt","name":"notes","source":{"bytes":"d29ybGQ="}}}]}
]}"#,
        mended: r#"{"messages":[
  {"role":"user","content":[{"text":"Compare."},{"document":{"format":"txt","name":"notes","source":{"bytes":"aGVsbG8="}}},{"document":{"format":"txt","name":"notes-2","source":{"bytes":"d29ybGQ="}}}]}
]}"#,
    }),
};

/// A message with a document has words beside it where the target asks for them.
pub static FILE_WITHOUT_WORDS: Rule = Rule {
    id: "file-without-words",
    class: Class::Media,
    statement: "A message with a document has words beside it where the target asks for them.",
    sources: &[
        "ag-ui-protocol/ag-ui#1978",
        "BerriAI/litellm#36499",
        "Bedrock error: A text block must be included when using documents. Add a text block and retry your request.",
    ],
    holds: &["bedrock.converse"],
    example: Ok(Example {
        from: "bedrock.converse",
        to: "bedrock",
        broken: br#"{"messages":[
  {"role":"user","content":[{"document":{"format":"txt","name":"notes","source":{"bytes":"aGVsbG8="}}}]}
]}"#,
        mended: r#"{"messages":[
  {"role":"user","content":[{"text":"[wirecanon: empty message]"},{"document":{"format":"txt","name":"notes","source":{"bytes":"aGVsbG8="}}}]}
]}"#,
    }),
};

/// An image is no larger than the target takes.
pub static IMAGE_TOO_LARGE: Rule = Rule {
    id: "image-too-large",
    class: Class::Media,
    statement: "An image is no larger than the target takes: the length of its base64, its sides, and its sides where there are many.",
    sources: &[
        "anthropics/claude-code#13480",
        "anthropics/claude-code#34566",
        "anthropics/claude-code#9049",
        "Amazon Bedrock API Reference, ImageBlock: 3.75 MB, 8000 pixels",
        "Anthropic error: At least one of the image dimensions exceed max allowed size: 8000 pixels",
        "Anthropic error: At least one of the image dimensions exceed max allowed size for many-image requests: 2000 pixels",
        "Anthropic error: image exceeds 5 MB maximum",
    ],
    holds: &["anthropic", "bedrock", "bedrock-claude"],
    example: Ok(Example {
        from: "anthropic.messages",
        to: "anthropic",
        broken: br#"{"messages":[
  {"role":"user","content":[{"type":"image","source":{"type":"base64","media_type":"image/png","data":"iVBORw0KGgoAAAANSUhEUgAAH0gAAAABAQAAAABoz+VDAAAAEUlEQVR42mNgGAWjYBQMfwAAA+oAAf4i1lEAAAAASUVORK5CYII="}},{"type":"text","text":"see"}]}
]}"#,
        mended: r#"{"messages":[
  {"role":"user","content":[{"type":"text","text":"[wirecanon: image left out: too large for the target (image/png)]"},{"type":"text","text":"see"}]}
]}"#,
    }),
};

/// A request holds no more images and documents than the target takes.
pub static TOO_MANY_MEDIA: Rule = Rule {
    id: "too-many-media",
    class: Class::Media,
    statement: "A request holds no more images and documents than the target takes.",
    sources: &[
        "anthropics/claude-code#3397",
        "anthropics/claude-code#24541",
        "cline/cline#1844",
        "boto/boto3#4632",
        "aws-samples/generative-ai-use-cases#1685",
        "Anthropic error: too many images and documents: 120 + 0 > 100",
        "Bedrock error: You can't include more than 5 documents in a request.",
    ],
    holds: &["anthropic", "bedrock", "bedrock-claude"],
    example: Ok(Example {
        from: "bedrock.converse",
        to: "bedrock",
        broken: br#"{"messages":[
  {"role":"user","content":[{"text":"compare them"},{"document":{"format":"txt","name":"a","source":{"bytes":"YQ=="}}},{"document":{"format":"txt","name":"b","source":{"bytes":"Yg=="}}},{"document":{"format":"txt","name":"c","source":{"bytes":"Yw=="}}},{"document":{"format":"txt","name":"d","source":{"bytes":"ZA=="}}},{"document":{"format":"txt","name":"e","source":{"bytes":"ZQ=="}}},{"document":{"format":"txt","name":"f","source":{"bytes":"Zg=="}}}]}
]}"#,
        mended: r#"{"messages":[
  {"role":"user","content":[{"text":"compare them"},{"text":"[wirecanon: file left out: a (text/plain)]"},{"document":{"format":"txt","name":"b","source":{"bytes":"Yg=="}}},{"document":{"format":"txt","name":"c","source":{"bytes":"Yw=="}}},{"document":{"format":"txt","name":"d","source":{"bytes":"ZA=="}}},{"document":{"format":"txt","name":"e","source":{"bytes":"ZQ=="}}},{"document":{"format":"txt","name":"f","source":{"bytes":"Zg=="}}}]}
]}"#,
    }),
};

pub(super) static MEDIA_RULES: &[&Rule] = &[
    &IMAGE_WITHOUT_DATA,
    &IMAGE_DATA_NOT_BASE64,
    &IMAGE_DATA_URL_PREFIX,
    &IMAGE_BASE64_NOT_CANONICAL,
    &IMAGE_TYPE_MISSING,
    &IMAGE_TYPE_MISMATCH,
    &IMAGE_NOT_AN_IMAGE,
    &IMAGE_TYPE_NOT_ACCEPTED,
    &FILE_NOT_ACCEPTED,
    &MEDIA_WITHOUT_ADDRESS,
    &FILE_WITHOUT_DATA,
    &FILE_DATA_NOT_BASE64,
    &FILE_NOT_A_PDF,
    &FILE_TYPE_MISSING,
    &FILE_NAME_MISSING,
    &FILE_NAME_CHARACTERS,
    &DUPLICATE_FILE_NAME,
    &FILE_WITHOUT_WORDS,
    &IMAGE_TOO_LARGE,
    &TOO_MANY_MEDIA,
];
