/** An environment described: typed in field by field, or pasted whole as an administrator or a colleague hands it over. */

import { useQueryClient } from "@tanstack/react-query";
import { type ClipboardEvent, type FormEvent, useRef, useState } from "react";
import { Form } from "react-aria-components";
import { ErrorNotice } from "../errors/ErrorNotice";
import type { CommandError, EnvironmentField, Particulars } from "../ipc/bindings";
import { call, commandError, commands } from "../ipc/call";
import { Button } from "../parts/Button";
import { CopyButton } from "../parts/CopyButton";
import { TextField } from "../parts/Field";
import { Modal } from "../parts/Modal";
import { Select } from "../parts/Select";
import { useWords } from "../words/WordsProvider";
import { blank, described, TYPED, written } from "./particulars";

export function EnvironmentDialog({
  known,
  onClose,
}: {
  /** What there is to change; `null` for a new one. */
  known: Particulars | null;
  /** With the name of what was kept, or nothing. */
  onClose: (name?: string) => void;
}) {
  const { t } = useWords();
  const client = useQueryClient();
  const [typed, setTyped] = useState(known ?? blank);
  const [error, setError] = useState<CommandError | null>(null);
  const [removing, setRemoving] = useState(false);
  const form = useRef<HTMLFormElement>(null);

  const run = async (command: () => Promise<unknown>, name?: string) => {
    setError(null);
    try {
      await command();
      await client.invalidateQueries({ queryKey: ["environments"] });
      onClose(name);
    } catch (thrown) {
      const failed = commandError(thrown);
      setError(failed);
      if (failed.kind === "environmentRefused") {
        const first = failed.problems[0]?.field;
        form.current?.querySelector<HTMLInputElement>(`[name="${first}"]`)?.focus();
      }
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const particulars = trimmed(typed);
    void run(
      () => call(known ? commands.changeEnvironment(particulars) : commands.addEnvironment(particulars)),
      particulars.name,
    );
  };
  const paste = (event: ClipboardEvent) => {
    const found = described(event.clipboardData.getData("text/plain"));
    if (!found) return;
    event.preventDefault();
    setTyped({ ...typed, ...found, ...(known ? { name: known.name } : {}) });
  };
  const wrong: Partial<Record<EnvironmentField, string>> = {};
  if (error?.kind === "environmentRefused") {
    for (const { field, trouble } of error.problems) wrong[field] ??= t(`environment-wrong-${trouble}`);
  }
  return (
    <Modal
      title={known ? t("environment-change", { name: known.name }) : t("environment-add")}
      isOpen
      onClose={() => onClose()}
      width="md"
      actions={
        <>
          {known && (
            <span className="me-auto flex flex-wrap gap-2">
              <Button
                tone={removing ? "danger" : "quiet"}
                onPress={() => {
                  if (removing) void run(() => call(commands.removeEnvironment(known.name)));
                  else setRemoving(true);
                }}
              >
                {t(removing ? "environment-remove-confirm" : "environment-remove")}
              </Button>
              <CopyButton label={t("environment-copy")} text={() => written(known)} />
            </span>
          )}
          <Button onPress={() => onClose()}>{t("cancel")}</Button>
          <Button tone="primary" onPress={() => form.current?.requestSubmit()}>
            {t("save")}
          </Button>
        </>
      }
    >
      <div onPaste={paste}>
        <Form ref={form} validationBehavior="aria" validationErrors={wrong} onSubmit={submit} className="flex flex-col gap-3">
          <p className="text-ink-2">{t("environment-about")}</p>
          {removing && <p role="status">{t("environment-remove-about")}</p>}
          {error && <ErrorNotice error={error} shape="card" />}
          <div className="grid grid-cols-2 gap-3 max-narrow:grid-cols-1">
            <TextField
              name="name"
              label={t("environment-name")}
              hint={t(known ? "environment-name-fixed" : "environment-name-about")}
              value={typed.name}
              onChange={(name) => setTyped({ ...typed, name })}
              isReadOnly={known !== null}
              isRequired
              dir="ltr"
              autoFocus={known === null}
            />
            <Select
              label={t("environment-kind")}
              name="kind"
              value={typed.kind}
              onChange={(kind) => setTyped({ ...typed, kind })}
              choices={[
                { id: "production", label: t("environment-production") },
                { id: "staging", label: t("environment-staging") },
              ]}
            />
          </div>
          {TYPED.map((field) => (
            <TextField
              key={field}
              name={field}
              label={t(`environment-field-${field}`)}
              {...(field === "namespace" ? { hint: t("environment-namespace-about") } : {})}
              value={typed[field]}
              onChange={(text) => setTyped({ ...typed, [field]: text })}
              isRequired
              dir="ltr"
            />
          ))}
        </Form>
      </div>
    </Modal>
  );
}

function trimmed(typed: Particulars): Particulars {
  const text = Object.fromEntries(TYPED.map((field) => [field, typed[field].trim()]));
  return { ...typed, ...text, name: typed.name.trim() };
}
