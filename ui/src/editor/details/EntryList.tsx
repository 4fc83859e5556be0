/** A list of entries of a few texts each, such as identifiers: entries are added and removed, each in one step to undo. */

import { Plus, Trash2 } from "lucide-react";
import { type Dispatch, type ReactNode, useRef } from "react";
import { announce } from "../../components/announce";
import { Button, IconButton } from "../../components/Button";
import { useLocalizer } from "../../i18n/LocalizerProvider";
import type { EditorAction } from "../draftReducer";
import { focusField } from "../fields";
import { withEntries } from "../paths";
import { detailLabel } from "./detailLabels";
import { FieldGroup } from "./FieldGroup";

export interface EntryListProps<Entry> {
  /** Path of the list, as `buyer.details.otherIds`. */
  path: string;
  entries: readonly Entry[];
  /** An entry that is added. */
  empty: Entry;
  addLabel: string;
  /** The first field of an entry, below its path. It gets the focus when an entry is added. */
  firstField: string;
  /** The field whose label names an entry. */
  namedBy: string;
  isDisabled: boolean;
  dispatch: Dispatch<EditorAction>;
  /** The fields of an entry at a path. */
  children: (entry: Entry, path: string) => ReactNode;
}

export function EntryList<Entry>(props: EntryListProps<Entry>) {
  const { path, entries, empty, addLabel, firstField, namedBy, isDisabled, dispatch, children } = props;
  const localizer = useLocalizer();
  const { t, format } = localizer;
  const list = useRef<HTMLDivElement>(null);
  const change = (edit: (before: readonly unknown[]) => readonly unknown[]) =>
    dispatch({ type: "filled", fill: (content) => withEntries(content, path, edit) });
  const add = () => {
    change((before) => [...before, empty]);
    // It is rendered after this event.
    requestAnimationFrame(() => focusField(`${path}[${entries.length}].${firstField}`));
  };
  const remove = (index: number) => {
    change((before) => before.toSpliced(index, 1));
    announce(t("item-removed"));
    list.current?.querySelector<HTMLElement>("[data-add] button")?.focus();
  };
  return (
    <div ref={list}>
      <FieldGroup title={detailLabel(path, localizer) ?? ""}>
        {entries.map((entry, index) => {
          const label = detailLabel(`${path}.${namedBy}`, localizer) ?? "";
          const name = t("field-of-entry", { field: label, entry: format.integer(index + 1) });
          return (
            // Entries have no id; each of their texts is controlled.
            // oxlint-disable-next-line react/no-array-index-key
            <div key={index} role="group" aria-label={name} className="detail-grid">
              {children(entry, `${path}[${index}]`)}
              <div className="pt-5">
                <IconButton
                  label={t("remove-entry", { entry: name })}
                  isDisabled={isDisabled}
                  onPress={() => remove(index)}
                  icon={<Trash2 size={14} aria-hidden="true" />}
                />
              </div>
            </div>
          );
        })}
        <div data-add="" data-field={path} className="flex">
          <Button size="sm" isDisabled={isDisabled} onPress={add} icon={<Plus size={13} aria-hidden="true" />}>
            {addLabel}
          </Button>
        </div>
      </FieldGroup>
    </div>
  );
}
