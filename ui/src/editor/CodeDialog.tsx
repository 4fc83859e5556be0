/** All codes of a list in a dialog: a field, and the list of what fits. A combobox with a listbox (WAI-ARIA APG). */

import { useMemo, useState } from "react";
import { NameText } from "../components/BidiText";
import { TextField } from "../components/Field";
import { Modal } from "../components/Modal";
import type { Choice } from "../components/Select";
import { useActiveOption } from "../components/useActiveOption";
import { useResultAnnouncement } from "../components/useAnnouncement";
import { useLocalizer } from "../i18n/LocalizerProvider";
import type { CodeList } from "./codeLists";
import { findCodes, searchableCodes, typedCode } from "./codeSearch";

/** How many codes are shown. Of units there are ten times as many. */
const SHOWN = 200;

export interface CodeDialogProps {
  isOpen: boolean;
  /** The name of the field. */
  label: string;
  list: CodeList;
  onChoose: (code: string) => void;
  onClose: () => void;
}

export function CodeDialog({ isOpen, label, list, onChoose, onClose }: CodeDialogProps) {
  const { t } = useLocalizer();
  return (
    <Modal title={t("another-code-title", { field: label })} isOpen={isOpen} onClose={onClose}>
      <CodeSearch label={label} list={list} onChoose={onChoose} />
    </Modal>
  );
}

function CodeSearch({ label, list, onChoose }: Pick<CodeDialogProps, "label" | "list" | "onChoose">) {
  const localizer = useLocalizer();
  const { t } = localizer;
  const [text, setText] = useState("");
  const codes = useMemo(() => searchableCodes(list, localizer), [list, localizer]);
  const found = useMemo(() => findCodes(codes, text), [codes, text]);
  const typed = typedCode(list, text);
  const isListed = found.some(({ id }) => id.toUpperCase() === typed);
  const shown = found.slice(0, SHOWN);
  if (typed !== null && !isListed) shown.push({ id: typed, label: t("code-as-typed", { code: typed }) });
  const more = found.length - SHOWN;
  const { active, activate, optionId, listId, fieldProps, onKeyDown } = useActiveOption(shown, ({ id }) => onChoose(id));
  useResultAnnouncement(text.trim(), shown.length, t("palette-none"), more > 0);
  return (
    <div className="flex flex-col gap-3">
      <TextField
        label={t("code-search")}
        value={text}
        onChange={(value) => {
          setText(value);
          activate(null);
        }}
        // The dialog was opened to type this.
        // oxlint-disable-next-line jsx-a11y/no-autofocus
        autoFocus
        inputProps={{ ...fieldProps, onKeyDown }}
      />
      <div
        id={listId}
        role="listbox"
        aria-label={label}
        hidden={shown.length === 0}
        className="max-h-80 overflow-y-auto rounded-md border border-line p-1"
      >
        {shown.map((code) => (
          <CodeRow
            key={code.id}
            id={optionId(code)}
            code={code}
            isActive={code === active}
            onActive={() => activate(code)}
            onChoose={() => onChoose(code.id)}
          />
        ))}
      </div>
      {shown.length === 0 && <p className="text-fg-2">{t("palette-none")}</p>}
      {more > 0 && <p className="text-fg-2 text-xs">{t("codes-more", { count: more })}</p>}
    </div>
  );
}

interface CodeRowProps {
  id: string;
  code: Choice<string>;
  isActive: boolean;
  onActive: () => void;
  onChoose: () => void;
}

function CodeRow({ id, code, isActive, onActive, onChoose }: CodeRowProps) {
  return (
    // The field has the focus and handles the keys.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
    <div
      id={id}
      role="option"
      aria-selected={isActive}
      onPointerMove={isActive ? undefined : onActive}
      onPointerDown={(event) => event.preventDefault()}
      onClick={onChoose}
      className={`flex min-h-8 items-center gap-3 rounded-sm px-2 py-1 ${isActive ? "bg-accent-soft" : ""}`}
    >
      <NameText className="min-w-0 flex-1 break-words">{code.label}</NameText>
      {code.detail !== undefined && <NameText className="shrink-0 text-end text-fg-2 text-xs">{code.detail}</NameText>}
    </div>
  );
}
