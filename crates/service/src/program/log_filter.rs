//! The filter of the log, from the variable `INVOICING_LOG`.

use tracing_subscriber::EnvFilter;
use tracing_subscriber::filter::LevelFilter;

/// The filter that `setting` names: a level, or several directives as `warn,invoicing_gateway=debug`. Without any it is `level`.
///
/// A word alone is a level. The library takes any other as the name of a target, and then shows nothing of all others: with
/// `warning` the log would be empty.
///
/// # Errors
/// What is wrong, for the command line.
pub fn log_filter(setting: Option<&str>, level: &str) -> Result<EnvFilter, String> {
    let directives = setting.unwrap_or_default().split(',').map(str::trim);
    let directives: Vec<_> = directives
        .filter(|directive| !directive.is_empty())
        .collect();
    if directives.is_empty() {
        return Ok(EnvFilter::new(level));
    }
    let wrong = directives.iter().find(|directive| {
        !directive.contains(['=', '[']) && directive.parse::<LevelFilter>().is_err()
    });
    if let Some(wrong) = wrong {
        return Err(format!(
            "INVOICING_LOG: {wrong:?} is no level: write error, warn, info, debug or trace, or TARGET=LEVEL"
        ));
    }
    EnvFilter::builder()
        .parse(directives.join(","))
        .map_err(|error| format!("INVOICING_LOG: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn level(setting: Option<&str>) -> Option<LevelFilter> {
        let filter = log_filter(setting, "info").expect("a filter");
        filter.max_level_hint()
    }

    #[test]
    fn level_is_that_of_the_setting_and_the_default_where_there_is_none() {
        for setting in [None, Some(""), Some(" "), Some(",")] {
            assert_eq!(level(setting), Some(LevelFilter::INFO), "{setting:?}");
        }
        assert_eq!(level(Some("WARN")), Some(LevelFilter::WARN));
        assert_eq!(level(Some(" off ")), Some(LevelFilter::OFF));
        let several = Some("warn, invoicing_gateway=debug");
        assert_eq!(level(several), Some(LevelFilter::DEBUG));
    }

    #[test]
    fn word_that_is_no_level_is_refused_instead_of_silencing_the_log() {
        for setting in ["warning", "debgu", "info,verbose", "invoicing_http=loud"] {
            let refused = log_filter(Some(setting), "info").expect_err(setting);
            assert!(refused.starts_with("INVOICING_LOG: "), "{refused}");
        }
    }
}
