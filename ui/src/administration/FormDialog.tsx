/** A dialog with a form. What is typed in it is discarded only when that is confirmed. */

import { type FormEvent, type ReactNode, useRef, useState } from "react";
import { Form } from "react-aria-components";
import { Button } from "../components/Button";
import { Modal } from "../components/Modal";
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
  const [asking, setAsking] = useState(false);
  const close = () => (typed && !asking ? setAsking(true) : onClose());
  const onFormSubmit = (event: FormEvent) => {
    event.preventDefault();
    setAsking(false);
    onSubmit();
  };
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
          <Button variant="primary" isDisabled={busy} onPress={() => form.current?.requestSubmit()}>
            {submit}
          </Button>
        </>
      }
    >
      <Form ref={form} onSubmit={onFormSubmit} className="flex flex-col gap-3">
        {error && <AdministrationError error={error} onRetry={onSubmit} />}
        {children}
        {/* Without one, Enter in a field submits nothing; the visible button is outside of the form. */}
        <button type="submit" hidden aria-label={submit} />
      </Form>
    </Modal>
  );
}
