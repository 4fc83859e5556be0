/** A dialog with a form. What is typed in it is discarded only when that is confirmed. */

import { type FormEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { Form } from "react-aria-components";
import { Button } from "../components/Button";
import { Modal } from "../components/Modal";
import { Notice } from "../errors/Notice";
import { useLocalizer } from "../i18n/LocalizerProvider";
import type { CommandError } from "../ipc/bindings";
import { AdministrationError } from "./AdministrationError";

export function FormDialog({
  title,
  submit,
  typed,
  busy,
  error,
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
  onSubmit: () => void;
  onClose: () => void;
  children: ReactNode;
}) {
  const { t } = useLocalizer();
  const form = useRef<HTMLFormElement>(null);
  const problem = useRef<HTMLDivElement>(null);
  const [asking, setAsking] = useState(false);
  const close = () => (typed && !asking ? setAsking(true) : onClose());
  const onFormSubmit = (event: FormEvent) => {
    event.preventDefault();
    // Enter in a field submits also while an answer is awaited.
    if (busy) return;
    setAsking(false);
    onSubmit();
  };
  // It is above the fields, and who submits a long form is at its end.
  useEffect(() => {
    if (error) problem.current?.scrollIntoView({ block: "nearest" });
  }, [error]);
  return (
    <Modal
      title={title}
      isOpen
      onClose={close}
      actions={
        <>
          {asking && (
            <p role="status" className="me-auto self-center text-warning">
              {t("form-discard-question")}
            </p>
          )}
          <Button onPress={close}>{t(asking ? "form-discard" : "cancel")}</Button>
          <Button variant="primary" isBusy={busy} onPress={() => form.current?.requestSubmit()}>
            {submit}
          </Button>
        </>
      }
    >
      {/* Who types on has not discarded anything, and is asked again. */}
      <div onChange={() => setAsking(false)}>
        <Form ref={form} onSubmit={onFormSubmit} className="flex flex-col gap-3">
          {error && (
            <div ref={problem}>
              {endsSession(error) ? (
                <Notice severity="warning" variant="card" text={t("form-signed-out")} />
              ) : (
                <AdministrationError error={error} onRetry={onSubmit} />
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

/** Whether it takes another sign-in to go on. The screen of that sign-in takes the place of the form, which nothing keeps. */
function endsSession({ kind }: CommandError): boolean {
  return kind === "sessionEnded" || kind === "notSignedIn";
}
