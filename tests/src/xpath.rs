//! XPath expressions and scripts that find elements by their visible text.

/// Finds the last visible element of an XPath. WebDriver's own visibility check excludes truncated text.
pub(crate) const LAST_VISIBLE: &str = "
    const found = document.evaluate(arguments[0], document, null, XPathResult.ORDERED_NODE_SNAPSHOT_TYPE, null);
    for (let index = found.snapshotLength - 1; index >= 0; index--) {
        const element = found.snapshotItem(index);
        if (element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) return element;
    }
    return null;
";

/// Whether the element with the focus is, or is in, an element of an XPath.
pub(crate) const HAS_FOCUS: &str = "
    const found = document.evaluate(arguments[0], document, null, XPathResult.ORDERED_NODE_SNAPSHOT_TYPE, null);
    return Array.from({ length: found.snapshotLength }, (_, index) => found.snapshotItem(index)).some((element) => element.contains(document.activeElement));
";

/// Whether an element keeps its position for two frames. A click on a moving element can miss it.
pub(crate) const IS_STABLE: &str = "
    const [element, done] = arguments;
    const place = () => JSON.stringify(element.getBoundingClientRect());
    const before = place();
    requestAnimationFrame(() => requestAnimationFrame(() => done(place() === before)));
";

/// Whether all animations have finished. Endless animations, such as those of progress indicators, do not count.
pub(crate) const ANIMATIONS_FINISHED: &str = "
    return document.getAnimations().every(({ effect }) => effect.getComputedTiming().endTime === Infinity);
";

/// Characters to ignore: Fluent puts directional isolates around arguments, numbers contain no-break spaces, and Arabic words that end
/// in a mark have a zero-width non-joiner.
const INVISIBLE: &str = "\u{a0}\u{200c}\u{2066}\u{2067}\u{2068}\u{2069}";

/// XPath expression for the text of `node` without invisible characters and with normalized space.
pub(crate) fn normalized_text(node: &str) -> String {
    format!("normalize-space(translate({node}, '{INVISIBLE}', ' '))")
}

/// XPath condition: the whole text of `node` is `text`.
pub(crate) fn text_is(node: &str, text: &str) -> String {
    format!("{}={}", normalized_text(node), string_literal(text))
}

/// XPath string literal. XPath has no escapes, so the quotes depend on the text.
pub(crate) fn string_literal(text: &str) -> String {
    if text.contains('\'') {
        format!("\"{text}\"")
    } else {
        format!("'{text}'")
    }
}

/// XPath condition: the visible text or the accessible label of this element is `text`.
pub(crate) fn text_or_label_is(text: &str) -> String {
    format!("{} or {}", text_is(".", text), text_is("@aria-label", text))
}
