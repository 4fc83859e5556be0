/** Tells screen readers what has changed, through one polite live region. */

let region: HTMLElement | null = null;

/** Puts the region into the page, empty: readers only speak of what changes in a region that they know. */
export function prepareAnnouncements(): void {
  if (region) return;
  region = document.createElement("div");
  region.setAttribute("role", "status");
  region.setAttribute("aria-live", "polite");
  region.className = "visually-hidden";
  document.body.append(region);
}

export function announce(text: string): void {
  if (!region) return;
  // The same sentence twice is still a change.
  region.textContent = region.textContent === text ? `${text}\u00a0` : text;
}
