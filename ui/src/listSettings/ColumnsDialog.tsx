/** Which columns the list has, in which order and how wide. A change shows at once behind the dialog. */

import { ArrowDown, ArrowUp } from "lucide-react";
import { type FormEvent, useLayoutEffect, useRef, useState } from "react";
import { Button, IconButton } from "../components/Button";
import { Checkbox } from "../components/Checkbox";
import { TextField } from "../components/Field";
import { Modal } from "../components/Modal";
import { withLatinDigits } from "../i18n/digits";
import { useLocalizer } from "../i18n/LocalizerProvider";
import type { ListColumn } from "../ipc/bindings";
import { type ColumnName, columns, moved, type ShownColumn, shownColumns, toSettings, withWidth } from "./columns";

export interface ColumnsDialogProps {
  settings: readonly ListColumn[];
  hasAuthority: boolean;
  onChange: (settings: ListColumn[]) => void;
  onClose: () => void;
}

export function ColumnsDialog({ settings, hasAuthority, onChange, onClose }: ColumnsDialogProps) {
  const { t } = useLocalizer();
  const shown = shownColumns(settings);
  const hidden = columns.filter(
    ({ name }) => (hasAuthority || name !== "submission") && !shown.some(({ column }) => column.name === name),
  );
  const { list, keepFocusOn } = useFocusInRow(settings);
  const show = (next: ShownColumn[], name: ColumnName, control: Control) => {
    keepFocusOn(name, control);
    onChange(toSettings(next));
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    // A field applies its width when it loses the focus.
    event.currentTarget.querySelector<HTMLElement>(":focus")?.blur();
    onClose();
  };
  return (
    <Modal
      title={t("columns")}
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button onPress={() => onChange([])}>{t("columns-reset")}</Button>
          <Button variant="primary" onPress={onClose}>
            {t("close")}
          </Button>
        </>
      }
    >
      <form onSubmit={submit}>
        <div aria-hidden="true" className="flex gap-2 border-line-strong border-b pb-1 text-fg-2 text-xs">
          <span className="flex-1" />
          <span className="w-20">{t("column-width")}</span>
          <span className="w-16" />
        </div>
        <ul ref={list} className="flex flex-col">
          {shown.map(({ column, width }, index) => (
            <li key={column.name} data-column={column.name} className="flex items-center gap-2 border-line border-b py-1">
              <div className="min-w-0 flex-1">
                <Checkbox
                  isSelected
                  autoFocus={index === 0}
                  isDisabled={shown.length === 1}
                  onChange={() =>
                    show(
                      shown.filter((each) => each.column.name !== column.name),
                      column.name,
                      "shown",
                    )
                  }
                >
                  {t(column.label)}
                </Checkbox>
              </div>
              <div className="w-20">
                <WidthField
                  label={t("column-width-of", { column: t(column.label) })}
                  width={width ?? column.width}
                  onWidth={(typed) => onChange(withWidth(shown, column.name, typed))}
                />
              </div>
              <IconButton
                label={t("column-earlier", { column: t(column.label) })}
                icon={<ArrowUp size={14} aria-hidden="true" />}
                isDisabled={index === 0}
                onPress={() => show(moved(shown, column.name, -1), column.name, "earlier")}
              />
              <IconButton
                label={t("column-later", { column: t(column.label) })}
                icon={<ArrowDown size={14} aria-hidden="true" />}
                isDisabled={index === shown.length - 1}
                onPress={() => show(moved(shown, column.name, 1), column.name, "later")}
              />
            </li>
          ))}
          {hidden.map((column) => (
            <li key={column.name} data-column={column.name} className="border-line border-b py-1 last:border-b-0">
              <Checkbox isSelected={false} onChange={() => show([...shown, { column, width: null }], column.name, "shown")}>
                {t(column.label)}
              </Checkbox>
            </li>
          ))}
        </ul>
        <p className="pt-3 text-fg-2 text-xs">{t("columns-hint")}</p>
        {/* Enter in a field accepts. */}
        <button type="submit" hidden aria-hidden="true" tabIndex={-1} />
      </form>
    </Modal>
  );
}

/** A width in pixels, which is taken when the field is left. It then shows the one that applies. */
function WidthField({ label, width, onWidth }: { label: string; width: number; onWidth: (width: number) => void }) {
  const [typed, setTyped] = useState<string | null>(null);
  const take = () => {
    const next = Number.parseInt(withLatinDigits(typed ?? ""), 10);
    setTyped(null);
    if (!Number.isNaN(next) && next !== width) onWidth(next);
  };
  return (
    <TextField
      label={label}
      isLabelHidden
      numeric
      inputMode="numeric"
      value={typed ?? String(width)}
      onChange={setTyped}
      onBlur={take}
    />
  );
}

/** The controls of a column: whether it is shown, and its place. */
type Control = "shown" | "earlier" | "later";

/** Keeps the focus on the control of a column that was used: the row of the column has another place after it, and is another element. */
function useFocusInRow(settings: readonly ListColumn[]) {
  const list = useRef<HTMLUListElement>(null);
  const used = useRef<{ name: ColumnName; control: Control } | null>(null);
  useLayoutEffect(() => {
    if (used.current === null) return;
    const { name, control } = used.current;
    used.current = null;
    const row = list.current?.querySelector(`[data-column="${name}"]`);
    const [earlier, later] = row?.querySelectorAll("button") ?? [];
    const controls = { shown: row?.querySelector("input"), earlier, later };
    // At an end of the list, the button that led there is disabled.
    const usable = [controls[control], earlier, later].find((each) => each && !each.disabled);
    usable?.focus();
  }, [settings]);
  const keepFocusOn = (name: ColumnName, control: Control) => {
    used.current = { name, control };
  };
  return { list, keepFocusOn };
}
