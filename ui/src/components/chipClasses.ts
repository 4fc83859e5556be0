/** The look of the pills that filters and the environment stand in. */

const base =
  "inline-flex min-h-6 shrink-0 items-center gap-1 whitespace-nowrap rounded-full border text-xs transition-colors duration-100";

export const chipClass = `${base} border-line-strong bg-surface px-2.5 text-ink-2 data-[hovered]:border-ink-3 data-[hovered]:text-ink`;
export const activeChipClass = `${base} border-transparent bg-accent-soft px-2.5 font-semibold text-accent data-[hovered]:text-accent-strong`;
