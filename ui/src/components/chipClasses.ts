/** Style classes of the filter chips. One that is wider than the window has several lines. */

const base =
  "inline-flex min-h-6 min-w-0 items-center gap-1 rounded-full text-start border text-xs transition-colors duration-100";

export const chipClass = `${base} border-line-strong bg-surface px-2.5 text-fg-2 data-[hovered]:border-fg-3 data-[hovered]:text-fg`;
export const activeChipClass = `${base} border-transparent bg-accent-soft px-2.5 font-semibold text-accent data-[hovered]:text-accent-strong`;
