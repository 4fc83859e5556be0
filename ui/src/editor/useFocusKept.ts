/** Keeps the focus in the form when a change takes away the field that has it, as undo takes back a line that was just added. */

import { useCallback, useEffect, useRef } from "react";
import { isViewFocused } from "../components/keepFocus";
import type { InvoiceContent } from "../ipc/bindings";
import { nearestInput } from "./fields";

/** A function that notes which element of the form has the focus, and the field that it is in; empty if in none. */
export function useFocusKept(content: InvoiceContent): (element: Element, field: string) => void {
  const last = useRef<{ element: Element; field: string } | null>(null);
  useEffect(() => {
    if (last.current && !last.current.element.isConnected && !isViewFocused()) nearestInput(last.current.field)?.focus();
  }, [content]);
  return useCallback((element, field) => {
    last.current = { element, field };
  }, []);
}
