/** A row that scrolls sideways: whether there is more at its end, and its current element in view. */

import { type RefObject, useEffect, useRef } from "react";

/**
 * The reference of the row. It has `data-more` while something is beyond its end, so that the style sheet can show it. When
 * `current` changes, the element that is selected is scrolled into view. `count` is the number of elements.
 */
export function useScrollableEnd(current: string | undefined, count: number): RefObject<HTMLDivElement | null> {
  const row = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = row.current;
    if (element === null || count === 0) return;
    const update = () => {
      // Right to left, positions are negative. A part of a pixel is nothing.
      const rest = element.scrollWidth - element.clientWidth - Math.abs(element.scrollLeft);
      element.toggleAttribute("data-more", rest > 1);
    };
    const observer = new ResizeObserver(update);
    observer.observe(element);
    for (const child of element.children) observer.observe(child);
    element.addEventListener("scroll", update, { passive: true });
    update();
    return () => {
      observer.disconnect();
      element.removeEventListener("scroll", update);
    };
  }, [count]);
  useEffect(() => {
    if (current === undefined) return;
    row.current?.querySelector("[data-selected]")?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [current]);
  return row;
}
