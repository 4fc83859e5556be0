/** The keyboard shortcuts, each with a button that gives it other keys. */

import { useRef, useState } from "react";
import { Button } from "../components/Button";
import { inputClass } from "../components/Field";
import { Kbd } from "../components/Kbd";
import { keepFocus } from "../components/keepFocus";
import { Modal } from "../components/Modal";
import { keyCaps, type Shortcut, type ShortcutId, shortcuts } from "../components/shortcuts";
import { useLocalizer } from "../i18n/LocalizerProvider";
import { usePreferences } from "../state/usePreferences";
import { checkKeys, keysOfEvent, shortcutGroups, shortcutsOf, withKeys } from "./shortcutKeys";

export function ShortcutSettings() {
  const { t } = useLocalizer();
  const { preferences, change } = usePreferences();
  const [editing, setEditing] = useState<ShortcutId | null>(null);
  const list = useRef<HTMLDivElement>(null);
  const custom = preferences.shortcuts;
  const changed = Object.keys(custom).length;
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="text-fg-2">{t("settings-keys-hint")}</p>
        <Button
          size="sm"
          isDisabled={changed === 0}
          onPress={() => {
            change({ shortcuts: {} });
            // The button is disabled then, and would lose the focus. The last one of a row stays.
            list.current?.querySelector<HTMLElement>("li button:last-child")?.focus();
          }}
        >
          {t("keys-reset-all")}
        </Button>
      </div>
      <div ref={list} className="contents">
        {shortcutGroups.map((group) => (
          <section key={group} aria-labelledby={`settings-keys-${group}`}>
            <h3 id={`settings-keys-${group}`} className="pb-1 font-semibold text-fg-2 text-xs">
              {t(`keys-${group}`)}
            </h3>
            <ul>
              {shortcutsOf(group).map((id) => (
                <ShortcutRow
                  key={id}
                  id={id}
                  custom={custom[id]}
                  onEdit={() => setEditing(id)}
                  onReset={() => change({ shortcuts: withKeys(custom, id, null) })}
                />
              ))}
            </ul>
          </section>
        ))}
      </div>
      {editing && (
        <KeysDialog
          id={editing}
          custom={custom}
          onClose={() => setEditing(null)}
          onSave={(keys) => {
            change({ shortcuts: withKeys(custom, editing, keys) });
            setEditing(null);
          }}
        />
      )}
    </>
  );
}

function ShortcutRow({
  id,
  custom,
  onEdit,
  onReset,
}: {
  id: ShortcutId;
  custom: string | undefined;
  onEdit: () => void;
  onReset: () => void;
}) {
  const { t } = useLocalizer();
  const row = useRef<HTMLLIElement>(null);
  const shortcut: Shortcut = shortcuts[id];
  const keys = custom ?? shortcut.keys;
  const name = t(shortcut.label);
  return (
    <li ref={row} className="flex min-h-9 flex-wrap items-center gap-x-3 border-line border-b py-1">
      <span className="min-w-36 flex-1">{name}</span>
      <span className="visually-hidden">{keyCaps(keys).join(" ")}</span>
      <span dir="ltr" aria-hidden="true" className={`text-xs ${custom === undefined ? "" : "font-semibold text-accent"}`}>
        <Kbd keys={keys} />
      </span>
      <span className="flex w-40 justify-end gap-1">
        {custom !== undefined && (
          <Button
            size="sm"
            variant="quiet"
            aria-label={t("keys-reset-of", { command: name })}
            onPress={() => {
              onReset();
              // There is nothing to reset any more, and the button goes.
              keepFocus(() => row.current?.querySelector("button") ?? null);
            }}
          >
            {t("keys-reset")}
          </Button>
        )}
        {!shortcut.fixed && (
          <Button size="sm" aria-label={t("keys-change-of", { command: name })} onPress={onEdit}>
            {t("keys-change")}
          </Button>
        )}
      </span>
    </li>
  );
}

function KeysDialog({
  id,
  custom,
  onClose,
  onSave,
}: {
  id: ShortcutId;
  custom: Readonly<Record<string, string>>;
  onClose: () => void;
  onSave: (keys: string) => void;
}) {
  const { t } = useLocalizer();
  const [keys, setKeys] = useState<string | null>(null);
  const problem = keys === null ? null : checkKeys(id, keys, custom);
  const message =
    problem === null
      ? ""
      : problem.kind === "taken"
        ? t("keys-taken", { command: t(shortcuts[problem.by].label) })
        : t(`keys-${problem.kind}`);
  return (
    <Modal
      title={t("keys-title", { command: t(shortcuts[id].label) })}
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose}>{t("cancel")}</Button>
          <Button variant="primary" isDisabled={keys === null || problem !== null} onPress={() => keys !== null && onSave(keys)}>
            {t("save")}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-2">
        <label htmlFor="new-keys">{t("keys-press")}</label>
        <input
          id="new-keys"
          // biome-ignore lint/a11y/noAutofocus: the dialog is for this field.
          autoFocus
          readOnly
          dir="ltr"
          aria-invalid={problem !== null}
          aria-describedby="new-keys-problem"
          value={keys === null ? "" : keyCaps(keys).join(" + ")}
          placeholder={keyCaps(custom[id] ?? shortcuts[id].keys).join(" + ")}
          onKeyDown={(event) => {
            if (event.key === "Tab" || event.key === "Escape") return;
            event.preventDefault();
            const pressed = keysOfEvent(event.nativeEvent);
            if (pressed !== null) setKeys(pressed);
          }}
          className={`${inputClass} h-9 text-center font-semibold ${problem === null ? "" : "border-danger"}`}
        />
        <p id="new-keys-problem" role="status" className="min-h-5 text-danger">
          {message}
        </p>
        <p className="text-fg-2 text-xs">{t("keys-press-hint")}</p>
      </div>
    </Modal>
  );
}
