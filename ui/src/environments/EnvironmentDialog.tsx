/** Form of an environment. A configuration can be pasted as JSON into any field. */

import { useQueryClient } from "@tanstack/react-query";
import { type ClipboardEvent, type FormEvent, useRef, useState } from "react";
import { Form } from "react-aria-components";
import { Button } from "../components/Button";
import { CopyButton } from "../components/CopyButton";
import { TextField } from "../components/Field";
import { keepFocus } from "../components/keepFocus";
import { Modal } from "../components/Modal";
import { Select } from "../components/Select";
import { useAnnouncement } from "../components/useAnnouncement";
import { useDiscardQuestion } from "../components/useDiscardQuestion";
import { ErrorNotice } from "../errors/ErrorNotice";
import { useLocalizer } from "../i18n/LocalizerProvider";
import type { CommandError, EnvironmentConfig, EnvironmentField } from "../ipc/bindings";
import { call, commandError, commands } from "../ipc/call";
import { CONFIG_FIELDS, emptyConfig, formatEnvironmentConfig, NETWORK_FIELDS, parseEnvironmentConfig } from "./environmentConfig";
import { environmentsQuery } from "./environmentsQuery";
import { problemText } from "./problemText";

export function EnvironmentDialog({
  existing,
  refusal = null,
  onClose,
}: {
  /** The environment to change, or `null` for a new one. */
  existing: EnvironmentConfig | null;
  /** Why the identity provider of an environment has refused the last sign-in. */
  refusal?: Extract<CommandError, { kind: "wrongEnvironmentPair" }> | null;
  /** Called with the name of the saved environment, or without one. */
  onClose: (name?: string) => void;
}) {
  const localizer = useLocalizer();
  const { t } = localizer;
  const client = useQueryClient();
  const [values, setValues] = useState(existing ?? emptyConfig);
  const [error, setError] = useState<CommandError | null>(null);
  const [busy, setBusy] = useState(false);
  const [removing, setRemoving] = useState(false);
  const removeHint = removing ? t("environment-remove-hint") : null;
  useAnnouncement(removeHint);
  const form = useRef<HTMLFormElement>(null);

  const [opened] = useState(values);
  const typed = ([...CONFIG_FIELDS, ...NETWORK_FIELDS, "name", "kind"] as const).some((field) => values[field] !== opened[field]);
  const { asking, close, keep } = useDiscardQuestion(typed, onClose);
  const change = (changed: EnvironmentConfig) => {
    keep();
    setValues(changed);
  };
  const run = async (command: () => Promise<unknown>, name?: string) => {
    setBusy(true);
    setError(null);
    try {
      await command();
      await client.invalidateQueries({ queryKey: environmentsQuery.queryKey });
      onClose(name);
    } catch (thrown) {
      const failed = commandError(thrown);
      setError(failed);
      if (failed.kind === "environmentRefused") {
        const first = failed.problems[0]?.field;
        form.current?.querySelector<HTMLInputElement>(`[name="${first}"]`)?.focus();
      }
    } finally {
      setBusy(false);
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // Enter in a field submits also while an answer is awaited.
    if (busy) return;
    const config = trimValues(values);
    void run(() => call(existing ? commands.changeEnvironment(config) : commands.addEnvironment(config)), config.name);
  };
  const paste = (event: ClipboardEvent) => {
    const pasted = parseEnvironmentConfig(event.clipboardData.getData("text/plain"));
    if (!pasted) return;
    event.preventDefault();
    change({ ...values, ...pasted, ...(existing ? { name: existing.name } : {}) });
  };
  const messages: Partial<Record<EnvironmentField, string>> = {};
  if (error?.kind === "environmentRefused") {
    for (const problem of error.problems) messages[problem.field] ??= problemText(problem, localizer);
  }
  // Until one of the pair is another.
  const { authUrl, projectAudienceId } = values;
  const isRefused = refusal?.authUrl === authUrl && existing?.projectAudienceId === projectAudienceId;
  if (isRefused) messages.projectAudienceId ??= t("error-wrong-environment-pair", { address: authUrl });
  // Once it is open it is closed by a person only: a field that is emptied is still being typed in.
  const hasNetwork = NETWORK_FIELDS.some((field) => values[field] || messages[field] !== undefined);
  const [network, setNetwork] = useState(false);
  if (hasNetwork && !network) setNetwork(true);
  return (
    <Modal
      title={existing ? t("environment-change", { name: existing.name }) : t("environment-add")}
      isOpen
      onClose={close}
      width="md"
      actions={
        <>
          {existing && (
            <span className="me-auto flex flex-wrap gap-2">
              <Button
                variant={removing ? "danger" : "quiet"}
                isBusy={busy}
                onPress={() => {
                  if (removing) void run(() => call(commands.removeEnvironment(existing.name))).then(keepFocusBesideList);
                  else setRemoving(true);
                }}
              >
                {t(removing ? "environment-remove-confirm" : "environment-remove")}
              </Button>
              <CopyButton label={t("environment-copy")} text={() => formatEnvironmentConfig(existing)} />
            </span>
          )}
          <Button onPress={close}>{t(asking ? "environment-discard" : "cancel")}</Button>
          <Button variant="primary" isBusy={busy} onPress={() => form.current?.requestSubmit()}>
            {t("save")}
          </Button>
        </>
      }
    >
      <div onPaste={paste}>
        <Form ref={form} validationBehavior="aria" validationErrors={messages} onSubmit={submit} className="flex flex-col gap-3">
          <p className="text-fg-2">{t("environment-hint")}</p>
          {removeHint !== null && (
            <p role="status" aria-live="off">
              {removeHint}
            </p>
          )}
          {asking && (
            <p role="alert" className="text-warning">
              {t("environment-not-saved")}
            </p>
          )}
          {error && <ErrorNotice error={error} variant="card" />}
          <div className="grid grid-cols-2 gap-3 max-narrow:grid-cols-1">
            <TextField
              name="name"
              label={t("environment-name")}
              hint={t(existing ? "environment-name-fixed" : "environment-name-hint")}
              value={values.name}
              onChange={(name) => change({ ...values, name })}
              isReadOnly={existing !== null}
              isRequired
              dir="ltr"
              autoFocus={existing === null}
            />
            <Select
              label={t("environment-kind")}
              name="kind"
              value={values.kind}
              onChange={(kind) => change({ ...values, kind })}
              choices={[
                { id: "production", label: t("environment-production") },
                { id: "staging", label: t("environment-staging") },
              ]}
            />
          </div>
          {CONFIG_FIELDS.map((field) => (
            <TextField
              key={field}
              name={field}
              label={t(`environment-field-${field}`)}
              {...(field === "namespace" ? { hint: t("environment-namespace-hint") } : {})}
              autoFocus={field === "projectAudienceId" && isRefused}
              value={values[field] ?? ""}
              onChange={(text) => change({ ...values, [field]: text })}
              isRequired
              dir="ltr"
            />
          ))}
          <details open={network}>
            <summary className="cursor-pointer py-1 text-fg-2">{t("environment-network")}</summary>
            <div className="flex flex-col gap-3 pt-2">
              {NETWORK_FIELDS.map((field) => (
                <TextField
                  key={field}
                  name={field}
                  label={t(`environment-field-${field}`)}
                  hint={t(`environment-${field}-hint`)}
                  value={values[field] ?? ""}
                  onChange={(text) => change({ ...values, [field]: text })}
                  dir="ltr"
                />
              ))}
            </div>
          </details>
          {/* Without one, Enter in a field submits nothing; the visible button is outside of the form. */}
          <button type="submit" hidden aria-label={t("save")} />
        </Form>
      </div>
    </Modal>
  );
}

/** The button that opened the dialog goes with its environment. */
function keepFocusBesideList() {
  keepFocus(() => document.querySelector<HTMLElement>("[data-add-environment]"));
}

function trimValues(values: EnvironmentConfig): EnvironmentConfig {
  const text = Object.fromEntries([...CONFIG_FIELDS, ...NETWORK_FIELDS].map((field) => [field, (values[field] ?? "").trim()]));
  return { ...values, ...text, name: values.name.trim() };
}
