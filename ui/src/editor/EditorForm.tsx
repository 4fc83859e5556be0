/**
 * The form of the editor. The one of React Aria gives its fields a new context with each render, so that a key would render every field of a
 * document of 500 lines.
 */

import { type ReactNode, useEffect, useRef } from "react";
import { FormContext, FormValidationContext } from "react-aria-components";

const ariaValidation = { validationBehavior: "aria" } as const;

/** Keys that delete a part of a date, or count it up or down. */
const CHANGES_PART: ReadonlySet<string> = new Set([
  "Backspace",
  "Delete",
  "ArrowUp",
  "ArrowDown",
  "PageUp",
  "PageDown",
  "Home",
  "End",
]);

interface EditorFormProps {
  /** By field. Every field renders again when its identity changes. */
  messages: Record<string, string[]>;
  /** Whether nothing can be typed. The fields keep the focus, which a disabled one loses. */
  isReadOnly: boolean;
  className: string;
  children: ReactNode;
}

export function EditorForm({ messages, isReadOnly, className, children }: EditorFormProps) {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    const element = form.current;
    if (!element || !isReadOnly) return;
    // Not the event of React, which does not hear what deletes or pastes.
    const refuse = (event: Event) => {
      event.preventDefault();
      event.stopPropagation();
    };
    // The parts of a date change by keys that are no input.
    const onKeyDown = (event: KeyboardEvent) => {
      if (CHANGES_PART.has(event.key) && isPartOfDate(event.target)) refuse(event);
    };
    element.addEventListener("beforeinput", refuse, { capture: true });
    element.addEventListener("keydown", onKeyDown, { capture: true });
    return () => {
      element.removeEventListener("beforeinput", refuse, { capture: true });
      element.removeEventListener("keydown", onKeyDown, { capture: true });
    };
  }, [isReadOnly]);
  return (
    <form ref={form} aria-busy={isReadOnly} noValidate onSubmit={(event) => event.preventDefault()} className={className}>
      <FormContext value={ariaValidation}>
        <FormValidationContext value={messages}>{children}</FormValidationContext>
      </FormContext>
    </form>
  );
}

function isPartOfDate(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest("[role=spinbutton]") !== null;
}
