/** Which scroll bars the web view has, for the style sheet. */

/** Notes at the root whether scroll bars take room beside what they scroll, or are painted over it. */
export function noteScrollBars(): void {
  const probe = document.createElement("div");
  probe.style.overflowY = "scroll";
  document.body.append(probe);
  document.documentElement.dataset["scrollBars"] = probe.offsetWidth > probe.clientWidth ? "classic" : "overlay";
  probe.remove();
}
