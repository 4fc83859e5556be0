/** Digits of another script in a field that reads those of its locale only: keyboards write either, whatever the window shows. */

import { type RefObject, useEffect } from "react";
import { withDigitsOf } from "../i18n/digits";
import { useLocalizer } from "../i18n/LocalizerProvider";

/** Replaces digits of other scripts that are typed anywhere inside `element` by those of the locale. */
export function useDigitsOfLocale(element: RefObject<HTMLElement | null>): void {
  const { locale } = useLocalizer();
  useEffect(() => {
    const group = element.current;
    if (!group) return;
    const zero = new Intl.NumberFormat(locale, { useGrouping: false }).format(0).codePointAt(0) ?? 0x30;
    const onBeforeInput = (event: InputEvent) => {
      const data = event.data === null ? null : withDigitsOf(zero, event.data);
      if (data === null || data === event.data) return;
      event.preventDefault();
      event.stopPropagation();
      const replaced = new InputEvent("beforeinput", { data, inputType: event.inputType, bubbles: true, cancelable: true });
      event.target?.dispatchEvent(replaced);
    };
    group.addEventListener("beforeinput", onBeforeInput, { capture: true });
    return () => group.removeEventListener("beforeinput", onBeforeInput, { capture: true });
  }, [element, locale]);
}
