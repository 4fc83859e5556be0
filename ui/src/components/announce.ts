/** Announcements for screen readers, through one polite live region. */

let region: HTMLElement | null = null;

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
  if (!region) return;
  // A trailing space makes a repeated text a change, so that it is announced again.
  region.textContent = region.textContent === text ? `${text}\u00a0` : text;
}
