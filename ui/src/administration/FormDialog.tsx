/** A dialog with a form. What is typed in it is discarded only when that is confirmed. */

import { type FormEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { Form } from "react-aria-components";
import { Button } from "../components/Button";
import { Modal } from "../components/Modal";
import { useAnnouncement } from "../components/useAnnouncement";
import { ErrorDetails } from "../errors/ErrorDetails";
import { Notice } from "../errors/Notice";
import { RetryNotice } from "../errors/RetryNotice";
import { usePendingRetry } from "../errors/usePendingRetry";
import { useLocalizer } from "../i18n/LocalizerProvider";
import type { CommandError } from "../ipc/bindings";
import { AdministrationError } from "./AdministrationError";
import { FormConflictNotice } from "./FormConflictNotice";
import { RETRIED_WRITES } from "./useAdministration";
import type { FormConflict } from "./useMergedForm";

/** Of one identity: another one would show again what was corrected. */
const NO_TEXTS: Record<string, string> = {};

export function FormDialog({
  title,
  submit,
  typed,
  busy,
  error,
  fieldTexts = NO_TEXTS,
  partly = null,
  conflict = null,
  makesSecret = false,
  onSubmit,
  onClose,
  children,
}: {
  title: string;
  /** The label of the button that submits. */
  submit: string;
  /** Whether anything was typed. */
  typed: boolean;
  busy: boolean;
  error: CommandError | null;
  /** What is wrong with fields, by their names. With another identity it is shown again. */
  fieldTexts?: Record<string, string>;
  /** What was saved before the error, if anything was: the words of errors say that nothing was changed. */
  partly?: string | null;
  conflict?: FormConflict | null;
  /** Whether the answer has a secret that is shown once. The form stays until the answer is there: nobody else would show it. */
  makesSecret?: boolean;
  onSubmit: () => void;
  onClose: () => void;
  children: ReactNode;
}) {
  const { t } = useLocalizer();
  const form = useRef<HTMLFormElement>(null);
  const problem = useRef<HTMLDivElement>(null);
  // The status bar, where it could be stopped, is behind the dialog.
  const retry = usePendingRetry(RETRIED_WRITES);
  const [asking, setAsking] = useState(false);
  // React Aria would take the text away when the field loses the focus: the button that is being pressed would move.
  const [shown, setShown] = useState({ of: fieldTexts, texts: fieldTexts });
  if (shown.of !== fieldTexts) setShown({ of: fieldTexts, texts: fieldTexts });
  const awaitsSecret = busy && makesSecret;
  const close = () => {
    if (awaitsSecret || (typed && !asking)) setAsking(true);
    else onClose();
  };
  const question = asking ? t(awaitsSecret ? "form-secret-awaited" : "form-discard-question") : null;
  useAnnouncement(question);
  const onFormSubmit = (event: FormEvent) => {
    event.preventDefault();
    // Enter in a field submits also while an answer is awaited.
    if (busy) return;
    setAsking(false);
    onSubmit();
  };
  // Who types on has not discarded anything, and is asked again.
  const onType = ({ target }: FormEvent) => {
    setAsking(false);
    if (!(target instanceof HTMLInputElement) || !(target.name in shown.texts)) return;
    const { [target.name]: _corrected, ...texts } = shown.texts;
    setShown({ of: fieldTexts, texts });
  };
  // It is above the fields, and who submits a long form is at its end.
  const changes = conflict?.changes;
  useEffect(() => {
    if (error || changes) problem.current?.scrollIntoView({ block: "nearest" });
  }, [error, changes]);
  return (
    <Modal
      title={title}
      isOpen
      onClose={close}
      actions={
        <>
          {question !== null && (
            <p role="status" aria-live="off" className="me-auto self-center text-warning">
              {question}
            </p>
          )}
          <Button onPress={close}>{t(asking && !awaitsSecret ? "form-discard" : "cancel")}</Button>
          <Button variant="primary" isBusy={busy} onPress={() => form.current?.requestSubmit()}>
            {submit}
          </Button>
        </>
      }
    >
      <div onChange={onType}>
        <Form ref={form} validationErrors={shown.texts} onSubmit={onFormSubmit} className="flex flex-col gap-3">
          {busy && retry && <RetryNotice retry={retry} variant="card" />}
          {(error || conflict) && (
            <div ref={problem} className="flex flex-col gap-3">
              {error && partly !== null && (
                <Notice severity="warning" variant="card" text={partly} details={<ErrorDetails error={error} />} />
              )}
              {/* Signing in again leads back to this form; the button above the screen is behind it. */}
              {error && (partly === null || error.kind === "sessionEnded") && (
                <AdministrationError error={error} onRetry={onSubmit} />
              )}
              {conflict && (
                <FormConflictNotice
                  conflict={conflict}
                  onTaken={() => form.current?.querySelector<HTMLElement>("input")?.focus()}
                />
              )}
            </div>
          )}
          {children}
          {/* Without one, Enter in a field submits nothing; the visible button is outside of the form. */}
          <button type="submit" hidden aria-label={submit} />
        </Form>
      </div>
    </Modal>
  );
}
