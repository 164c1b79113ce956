//! `wirecanon list testees`: the adapters among them.

use serde_json::{Value, json};
use wirecanon_judge::exit::Stop;
use wirecanon_runner::adapter::{self, Installation};

/// Every adapter, and every variant of one after it.
pub(super) fn adapters() -> Result<Vec<Value>, Stop> {
    let folder = adapter::folder();
    let mut items = Vec::new();
    for adapter in adapter::all().map_err(Stop::incomplete)? {
        let installation = Installation::new(adapter.clone(), &folder).map_err(Stop::incomplete)?;
        let installed = installation.is_done();
        let packages: Vec<_> =
            adapter.package.iter().map(|package| json!({"name": package.name, "version": package.version})).collect();
        let conversions: Vec<_> = adapter
            .conversion
            .iter()
            .map(|conversion| {
                json!({"from": conversion.from, "to": conversion.to, "targets": conversion.targets,
                    "through": conversion.through})
            })
            .collect();
        let names = std::iter::once((&adapter.name, &adapter.title));
        for (name, title) in names.chain(adapter.variant.iter().map(|variant| (&variant.name, &variant.title))) {
            items.push(json!({"id": name, "title": title, "kind": "adapter", "language": adapter.language.name(),
                "url": adapter.url, "says": adapter.says, "says_at": adapter.says_at, "skips": adapter.skips,
                "packages": packages, "conversions": conversions, "installed": installed}));
        }
    }
    Ok(items)
}
