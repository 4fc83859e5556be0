/**
 * The form of the editor. The one of React Aria gives its fields a new context with each render, so that a key would render every field of a
 * document of 500 lines.
 */

import type { ReactNode } from "react";
import { FormContext, FormValidationContext } from "react-aria-components";

const ariaValidation = { validationBehavior: "aria" } as const;

interface EditorFormProps {
  /** By field. Every field renders again when its identity changes. */
  messages: Record<string, string[]>;
  className: string;
  children: ReactNode;
}

export function EditorForm({ messages, className, children }: EditorFormProps) {
  return (
    <form noValidate onSubmit={(event) => event.preventDefault()} className={className}>
      <FormContext value={ariaValidation}>
        <FormValidationContext value={messages}>{children}</FormValidationContext>
      </FormContext>
    </form>
  );
}
