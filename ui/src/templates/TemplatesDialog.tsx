/** The templates of the organization: use, rename, schedule, and remove with the way back. */

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { CalendarClock, FileWarning } from "lucide-react";
import { useState } from "react";
import { announce } from "../components/announce";
import { NumericText, Separator } from "../components/BidiText";
import { Button } from "../components/Button";
import { TextField } from "../components/Field";
import { Modal } from "../components/Modal";
import { useNewDraft } from "../drafts/useNewDraft";
import { ErrorNotice, Notice } from "../errors/ErrorNotice";
import { useLocalizer } from "../i18n/LocalizerProvider";
import { localizedText } from "../i18n/localizedText";
import type { CommandError, TemplateView, WindowBinding } from "../ipc/bindings";
import { call, commandError, commands } from "../ipc/call";
import { withBinding } from "../state/withBinding";
import { useWorkspace } from "../state/workspace";
import { ScheduleForm } from "./ScheduleForm";
import { invalidateTemplates, templatesQuery } from "./templateQueries";

type Editing = { template: TemplateView; what: "name" | "schedule" } | null;

export function TemplatesDialog({ onClose }: { onClose: () => void }) {
  const { t } = useLocalizer();
  const client = useQueryClient();
  const { organization } = useWorkspace();
  const { id } = organization;
  const { edit, busy } = useNewDraft();
  const query = useQuery({ ...templatesQuery(id), refetchOnMount: "always" });
  const [editing, setEditing] = useState<Editing>(null);
  const [removed, setRemoved] = useState<TemplateView | null>(null);
  const [error, setError] = useState<CommandError | null>(null);
  const run = async (
    command: (binding: WindowBinding) => Promise<{ status: "ok"; data: null } | { status: "error"; error: CommandError }>,
  ) => {
    setError(null);
    try {
      await withBinding(id, command);
      invalidateTemplates(client, id);
      return true;
    } catch (thrown) {
      setError(commandError(thrown));
      return false;
    }
  };
  const use = async (template: TemplateView) => {
    setError(null);
    try {
      const draft = await withBinding(id, (binding) => commands.newFromTemplate(binding, template.id));
      onClose();
      await edit(draft);
    } catch (thrown) {
      setError(commandError(thrown));
    }
  };
  const remove = async (template: TemplateView) => {
    if (!(await run((binding) => commands.removeTemplate(binding, template.id)))) return;
    setRemoved(template);
    announce(t("template-removed", { name: template.name }));
  };
  const restore = async (template: TemplateView) => {
    if (await run((binding) => commands.restoreTemplate(binding, template.id))) setRemoved(null);
  };
  const list = query.data?.templates ?? [];
  const failed = error ?? (query.error && commandError(query.error));
  return (
    <Modal title={t("templates")} width="lg" isOpen onClose={onClose}>
      <div className="flex flex-col gap-4">
        <p className="text-fg-2">{t("templates-here")}</p>
        {failed && (
          <ErrorNotice
            error={failed}
            variant="card"
            handlers={{
              tryNow: () => void query.refetch(),
              unlock: () =>
                void call(commands.unlockVault()).then(
                  () => query.refetch(),
                  (thrown) => setError(commandError(thrown)),
                ),
            }}
          />
        )}
        {removed && (
          <Notice
            severity="info"
            variant="card"
            text={t("template-removed", { name: removed.name })}
            buttons={
              <Button size="sm" autoFocus onPress={() => void restore(removed)}>
                {t("template-restore")}
              </Button>
            }
          />
        )}
        {query.data && list.length === 0 && <p>{t("templates-none")}</p>}
        {list.length > 0 && (
          <ul aria-label={t("templates")} className="rounded-md border border-line-strong bg-surface">
            {list.map((template) => (
              <li key={template.id} className="flex flex-col gap-3 border-line border-b px-3 py-2 last:border-b-0">
                <Row
                  template={template}
                  busy={busy}
                  onUse={() => void use(template)}
                  onEdit={(what) =>
                    setEditing(editing?.template.id === template.id && editing.what === what ? null : { template, what })
                  }
                  onRemove={() => void remove(template)}
                />
                {editing?.template.id === template.id && editing.what === "name" && (
                  <NameForm
                    name={template.name}
                    onClose={() => setEditing(null)}
                    onSave={(name) =>
                      void run((binding) => commands.renameTemplate(binding, template.id, name)).then(() => setEditing(null))
                    }
                  />
                )}
                {editing?.template.id === template.id && editing.what === "schedule" && (
                  <ScheduleForm
                    schedule={template.schedule}
                    onClose={() => setEditing(null)}
                    onSave={(schedule) =>
                      void run((binding) => commands.scheduleTemplate(binding, template.id, schedule)).then(() =>
                        setEditing(null),
                      )
                    }
                  />
                )}
              </li>
            ))}
          </ul>
        )}
        {(query.data?.unreadable.length ?? 0) > 0 && (
          <p className="flex items-start gap-2 text-warning">
            <FileWarning size={15} aria-hidden="true" className="mt-0.5 shrink-0" />
            {t("templates-unreadable", { count: query.data?.unreadable.length ?? 0 })}
          </p>
        )}
      </div>
    </Modal>
  );
}

interface RowProps {
  template: TemplateView;
  busy: boolean;
  onUse: () => void;
  onEdit: (what: "name" | "schedule") => void;
  onRemove: () => void;
}

function Row({ template, busy, onUse, onEdit, onRemove }: RowProps) {
  const { t, format, language } = useLocalizer();
  const name = template.name === "" ? t("template-unnamed") : template.name;
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <span className="min-w-48 flex-1">
        <bdi className="block break-words font-semibold">{name}</bdi>
        <span className="flex flex-wrap items-center text-fg-2 text-xs">
          <bdi>{localizedText(template.buyer, language) || t("no-buyer-yet")}</bdi>
          {template.gross !== null && (
            <>
              <Separator />
              <NumericText>{format.money(template.gross, template.currency)}</NumericText>
            </>
          )}
        </span>
        {template.schedule && (
          <span className="flex items-center gap-1 text-fg-2 text-xs">
            <CalendarClock size={12} aria-hidden="true" />
            {t(`frequency-${template.schedule.frequency}`)}
            <Separator />
            {template.next === null ? t("schedule-ended") : t("schedule-next", { date: format.date(template.next) })}
          </span>
        )}
      </span>
      <span className="flex flex-wrap gap-1">
        <Button size="sm" variant="primary" isDisabled={busy} aria-label={t("template-use-of", { name })} onPress={onUse}>
          {t("template-use")}
        </Button>
        <Button size="sm" variant="quiet" aria-label={t("template-schedule-of", { name })} onPress={() => onEdit("schedule")}>
          {t("template-schedule")}
        </Button>
        <Button size="sm" variant="quiet" aria-label={t("template-rename-of", { name })} onPress={() => onEdit("name")}>
          {t("template-rename")}
        </Button>
        <Button size="sm" variant="quiet" aria-label={t("template-remove-of", { name })} onPress={onRemove}>
          {t("template-remove")}
        </Button>
      </span>
    </div>
  );
}

function NameForm({ name, onSave, onClose }: { name: string; onSave: (name: string) => void; onClose: () => void }) {
  const { t } = useLocalizer();
  const [typed, setTyped] = useState(name);
  return (
    <form
      className="flex flex-wrap items-end gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        onSave(typed);
      }}
    >
      <div className="min-w-48 flex-1">
        <TextField label={t("template-name")} value={typed} onChange={setTyped} maxLength={120} autoFocus />
      </div>
      <Button type="submit" variant="primary">
        {t("save")}
      </Button>
      <Button onPress={onClose}>{t("cancel")}</Button>
    </form>
  );
}
