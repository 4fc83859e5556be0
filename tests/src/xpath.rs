//! XPath that finds elements as a person does: by their words.

/// Finds the last visible element of an XPath. The driver's own notion of visible leaves out text that may be truncated.
pub(crate) const LAST_VISIBLE: &str = "
    const found = document.evaluate(arguments[0], document, null, XPathResult.ORDERED_NODE_SNAPSHOT_TYPE, null);
    for (let index = found.snapshotLength - 1; index >= 0; index--) {
        const element = found.snapshotItem(index);
        if (element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) return element;
    }
    return null;
";

/// Whether an element stays where it is for two frames: what moves is missed by a click, by a person's too.
pub(crate) const IS_STABLE: &str = "
    const [element, done] = arguments;
    const place = () => JSON.stringify(element.getBoundingClientRect());
    const before = place();
    requestAnimationFrame(() => requestAnimationFrame(() => done(place() === before)));
";

/// Whether nothing fades or slides any more; what pulses as long as something lasts does not count.
pub(crate) const ANIMATIONS_FINISHED: &str = "
    return document.getAnimations().every(({ effect }) => effect.getComputedTiming().endTime === Infinity);
";

/// Fluent isolates what it inserts from the direction of the text around it, and numbers hold no-break spaces.
const INVISIBLE: &str = "\u{a0}\u{2066}\u{2067}\u{2068}\u{2069}";

/// In XPath: the text of `node` as a person reads it.
pub(crate) fn plain(node: &str) -> String {
    format!("normalize-space(translate({node}, '{INVISIBLE}', ' '))")
}

/// In XPath: `node` says just `words`.
pub(crate) fn says(node: &str, words: &str) -> String {
    format!("{}={}", plain(node), quoted(words))
}

/// In XPath: these words as a literal, which has no escapes.
pub(crate) fn quoted(words: &str) -> String {
    if words.contains('\'') {
        format!("\"{words}\"")
    } else {
        format!("'{words}'")
    }
}

/// In XPath: this element says just `words`, to the eye or to a screen reader.
pub(crate) fn named(words: &str) -> String {
    format!("{} or {}", says(".", words), says("@aria-label", words))
}
