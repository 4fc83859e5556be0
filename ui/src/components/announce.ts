/** Announcements for screen readers, through one polite live region. */

/** Announcements of this time are made together: the region has one text, and the last one would take the place of the others. */
const TOGETHER_MS = 100;

/** How long the region keeps a text: who reads the page should not find one that is no longer true. */
const KEPT_MS = 5000;

let region: HTMLElement | null = null;
let waiting: readonly string[] = [];
let clearing: ReturnType<typeof setTimeout> | undefined;

/** Adds the empty region to the page. Screen readers announce changes only in a region that exists before the change. */
export function prepareAnnouncements(): void {
  if (region) return;
  region = document.createElement("div");
  region.setAttribute("role", "status");
  region.setAttribute("aria-live", "polite");
  region.className = "visually-hidden";
  // React Aria makes what is outside of an open dialog inert, but for this mark.
  region.dataset["liveAnnouncer"] = "true";
  document.body.append(region);
}

export function announce(text: string): void {
  // Two parts of a view can say the same, as the notice of a retry and the list of all of them.
  if (!region || waiting.includes(text)) return;
  if (waiting.length === 0) setTimeout(announceWaiting, TOGETHER_MS);
  waiting = [...waiting, text];
}

function announceWaiting(): void {
  const text = waiting.join(" ");
  waiting = [];
  // A trailing space makes a repeated text a change, so that it is announced again.
  setText(region?.textContent === text ? `${text}\u00a0` : text);
  clearTimeout(clearing);
  clearing = setTimeout(() => setText(""), KEPT_MS);
}

function setText(text: string): void {
  if (region) region.textContent = text;
}
