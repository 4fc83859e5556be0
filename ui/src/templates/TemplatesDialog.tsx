/** The templates of the organization: use, rename, schedule, and remove with the way back. */

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { FileWarning, Search } from "lucide-react";
import { type KeyboardEvent, useRef, useState } from "react";
import { Button } from "../components/Button";
import { Modal } from "../components/Modal";
import { useResultAnnouncement } from "../components/useAnnouncement";
import { useFormDiscardQuestion } from "../components/useDiscardQuestion";
import { useLatest } from "../components/useLatest";
import { useNewDraft } from "../drafts/useNewDraft";
import { ErrorNotice } from "../errors/ErrorNotice";
import { Notice } from "../errors/Notice";
import { useLocalizer } from "../i18n/LocalizerProvider";
import type { CommandError, Draft, TemplateView, WindowBinding } from "../ipc/bindings";
import { call, commandError, commands } from "../ipc/call";
import { useCommandCalls } from "../ipc/useCommandCalls";
import { withBinding } from "../state/withBinding";
import { useWorkspace } from "../state/workspace";
import { invalidateChanged } from "../windows/useChangedData";
import { ScheduleForm } from "./ScheduleForm";
import { searchTemplates } from "./searchTemplates";
import { TemplateNameForm, TemplateRow } from "./TemplateRow";
import { templatesQuery } from "./templateQueries";

type Editing = { template: TemplateView; what: "name" | "schedule" } | null;

export function TemplatesDialog({ onClose }: { onClose: () => void }) {
  const { t } = useLocalizer();
  const client = useQueryClient();
  const { organization } = useWorkspace();
  const { id } = organization;
  const { edit, busy, error: draftError } = useNewDraft();
  const query = useQuery({ ...templatesQuery(id), refetchOnMount: "always" });
  const [editing, setEditing] = useState<Editing>(null);
  const question = useFormDiscardQuestion(onClose);
  const [removed, setRemoved] = useState<TemplateView | null>(null);
  const calls = useCommandCalls();
  // What was chosen last, as long as nothing else was done: the error of its draft belongs to it.
  const [chosen, setChosen] = useState<TemplateView | null>(null);
  // The draft that was made of a template and is not opened yet: the next attempt opens it, and makes no second one.
  const made = useRef<{ template: string; draft: Draft } | null>(null);
  const making = useRef(false);
  const [text, setText] = useState("");
  const rows = useRef<HTMLUListElement>(null);
  const run = (
    command: (binding: WindowBinding) => Promise<{ status: "ok"; data: null } | { status: "error"; error: CommandError }>,
  ) => {
    setChosen(null);
    return calls.run(async () => {
      await withBinding(id, command);
      invalidateChanged(client, id, "templates");
    });
  };
  const latestEditing = useLatest(editing);
  /** Closes a form, unless another one has taken its place. The button that opened it takes the focus, which would be lost with the form. */
  const closeForm = (form: Editing) => {
    if (!form || latestEditing.current !== form) return;
    const focused = document.activeElement?.closest("form");
    focused?.parentElement?.querySelector<HTMLElement>(`[data-template-edit=${form.what}]`)?.focus();
    setEditing(null);
  };
  /** Closes the form once its command is done, and leaves what was typed in it otherwise. */
  const save = async (command: Parameters<typeof run>[0]) => {
    if (await run(command)) closeForm(editing);
  };
  const begin = async (template: TemplateView) => {
    // Enter is pressed twice, or held: that is one document.
    if (making.current) return;
    making.current = true;
    setChosen(template);
    await calls.run(async () => {
      if (made.current?.template !== template.id) {
        const draft = await withBinding(id, (binding) => commands.newFromTemplate(binding, template.id));
        made.current = { template: template.id, draft };
      }
      if (await edit(made.current.draft)) onClose();
    });
    making.current = false;
  };
  const unlock = () =>
    calls.run(async () => {
      await call(commands.unlockVault());
      await query.refetch();
    });
  const remove = async (template: TemplateView) => {
    if (!(await run((binding) => commands.removeTemplate(binding, template.id)))) return;
    setRemoved(template);
  };
  const restore = async (template: TemplateView) => {
    if (await run((binding) => commands.restoreTemplate(binding, template.id))) setRemoved(null);
  };
  const all = query.data?.templates ?? [];
  const found = searchTemplates(all, text);
  // A template whose form is open stays, whatever is searched for: its row has what was typed.
  const list = all.filter((template) => found.includes(template) || template.id === editing?.template.id);
  useResultAnnouncement(text, found.length, t("templates-no-match"));
  const onSearchKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || event.keyCode === 229) return;
    const [first] = found;
    if (event.key === "ArrowDown") buttonsOf(rows.current)[0]?.focus();
    else if (event.key === "Enter" && first && text !== "" && !event.repeat) question.leave(() => void begin(first));
    else return;
    event.preventDefault();
  };
  const failed = calls.error ?? (chosen && draftError) ?? (query.error && commandError(query.error));
  return (
    <Modal title={t("templates")} width="lg" isOpen onClose={question.close}>
      <div className="flex flex-col gap-4">
        <p className="text-fg-2">{t("templates-here")}</p>
        {failed && (
          <ErrorNotice
            error={failed}
            variant="card"
            handlers={{
              tryNow: () => void (chosen ? begin(chosen) : query.refetch()),
              unlock: () => void unlock(),
            }}
          />
        )}
        {removed && (
          // The button of the template that goes has the focus, and the way back takes it each time.
          <Notice
            key={removed.id}
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
        {query.data && all.length === 0 && <p>{t("templates-none")}</p>}
        {all.length > 0 && (
          <div className="field-box flex h-8 shrink-0 items-center gap-2 rounded-md border border-control px-2.5 text-fg-3">
            <Search size={14} aria-hidden="true" className="shrink-0" />
            {/* Not the field of React Aria, which keeps Escape to itself. */}
            <input
              type="search"
              // The dialog begins with what it is searched for.
              // oxlint-disable-next-line jsx-a11y/no-autofocus
              autoFocus
              aria-label={t("templates-search")}
              autoComplete="off"
              spellCheck={false}
              dir={text === "" ? undefined : "auto"}
              placeholder={t("templates-search")}
              value={text}
              onChange={(event) => setText(event.target.value)}
              onKeyDown={onSearchKeyDown}
              className="min-w-0 flex-1 bg-transparent text-fg [&::-webkit-search-cancel-button]:hidden"
            />
          </div>
        )}
        {found.length === 0 && all.length > 0 && <p>{t("templates-no-match")}</p>}
        {list.length > 0 && (
          // The arrow keys go from one template to the next, as in a list.
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
          <ul
            ref={rows}
            aria-label={t("templates")}
            onKeyDown={moveBetweenRows}
            className="rounded-md border border-line-strong bg-surface"
          >
            {list.map((template) => (
              <li key={template.id} className="flex flex-col gap-3 border-line border-b px-3 py-2 last:border-b-0">
                <TemplateRow
                  template={template}
                  busy={busy}
                  onUse={() => question.leave(() => void begin(template))}
                  onEdit={(what) =>
                    question.leave(() =>
                      setEditing(editing?.template.id === template.id && editing.what === what ? null : { template, what }),
                    )
                  }
                  onRemove={() =>
                    editing?.template.id === template.id ? question.leave(() => void remove(template)) : void remove(template)
                  }
                />
                {editing?.template.id === template.id && editing.what === "name" && (
                  <TemplateNameForm
                    name={template.name}
                    question={question}
                    onClose={() => closeForm(editing)}
                    onSave={(name) => void save((binding) => commands.renameTemplate(binding, template.id, name))}
                  />
                )}
                {editing?.template.id === template.id && editing.what === "schedule" && (
                  <ScheduleForm
                    schedule={template.schedule}
                    question={question}
                    onClose={() => closeForm(editing)}
                    onSave={(schedule) => void save((binding) => commands.scheduleTemplate(binding, template.id, schedule))}
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

/** The buttons that make a document, one of each row. */
function buttonsOf(rows: HTMLElement | null): HTMLElement[] {
  return [...(rows?.querySelectorAll<HTMLElement>("[data-template-use]") ?? [])];
}

function moveBetweenRows(event: KeyboardEvent<HTMLElement>) {
  const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
  const buttons = buttonsOf(event.currentTarget);
  const at = buttons.indexOf(event.target as HTMLElement);
  if (step === 0 || at < 0) return;
  event.preventDefault();
  buttons[Math.min(Math.max(at + step, 0), buttons.length - 1)]?.focus();
}
