/** The command palette: one field, and the list of what fits. A combobox with a listbox (WAI-ARIA APG), by keyboard alone. */

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Search } from "lucide-react";
import { type KeyboardEvent, useMemo, useState } from "react";
import { BareModal } from "../components/BareModal";
import { Kbd } from "../components/Kbd";
import { keysOf, matchesShortcut } from "../components/shortcuts";
import { isComposing, useActiveOption } from "../components/useActiveOption";
import { useResultAnnouncement } from "../components/useAnnouncement";
import { useLocalizer } from "../i18n/LocalizerProvider";
import { useWorkspace } from "../state/workspace";
import { EntryRow } from "./EntryRow";
import { groupsOf } from "./entries";
import { recentsQuery, rememberEntry } from "./recents";
import { type PaletteEntry, useEntries } from "./useEntries";
import { useSectionEntries } from "./useSectionEntries";

const noRecents: readonly string[] = [];

export function PaletteDialog({ onClose }: { onClose: (run: (() => void) | null) => void }) {
  const { t } = useLocalizer();
  return (
    <BareModal title={t("palette")} isOpen onClose={() => onClose(null)}>
      <Palette onClose={onClose} />
    </BareModal>
  );
}

function Palette({ onClose }: { onClose: (run: (() => void) | null) => void }) {
  const { t } = useLocalizer();
  const { organization } = useWorkspace();
  const [text, setText] = useState("");
  const { entries, documents } = useEntries(text);
  const client = useQueryClient();
  const recents = useQuery(recentsQuery(organization.id)).data ?? noRecents;
  const sections = useSectionEntries();
  const groups = useMemo(() => groupsOf([...entries, ...sections], text, recents), [entries, sections, text, recents]);
  const shown = groups.flatMap((group) => group.entries.map(({ entry }) => entry));
  const choose = (entry: PaletteEntry) => {
    rememberEntry(client, organization.id, entry.id);
    onClose(entry.run);
  };
  const { active, activate, optionId, listId, fieldProps, onKeyDown: onListKey } = useActiveOption(shown, choose);
  useResultAnnouncement(text, documents.searching ? null : shown.length, t("palette-none"));

  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposing(event)) return;
    const closes = event.key === "Escape" || matchesShortcut(event.nativeEvent, keysOf("palette"));
    if (!closes) return onListKey(event);
    onClose(null);
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    <>
      {/* Its ring is inside of it: it fills the dialog from side to side. */}
      <div className="field-box -outline-offset-2 flex h-12 shrink-0 items-center gap-3 rounded-t-lg border-line border-b px-4 text-fg-3">
        <Search size={16} aria-hidden="true" className="shrink-0" />
        <input
          // The dialog is this field.
          // oxlint-disable-next-line jsx-a11y/no-autofocus
          autoFocus
          {...fieldProps}
          aria-label={t("palette")}
          dir={text === "" ? undefined : "auto"}
          placeholder={t("palette-placeholder")}
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            activate(null);
          }}
          onKeyDown={onKeyDown}
          className="min-w-0 flex-1 bg-transparent text-fg text-md"
        />
        <Kbd keys="Esc" />
      </div>
      <div id={listId} role="listbox" aria-label={t("palette")} className="min-h-0 flex-1 overflow-y-auto p-1.5">
        {groups.map((group) => (
          // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
          <div key={group.id} role="group" aria-labelledby={`${listId}-${group.id}`} className="pb-1">
            <div id={`${listId}-${group.id}`} className="px-2.5 pt-2 pb-1 font-semibold text-2xs text-fg-2">
              {t(`palette-${group.id}`)}
            </div>
            {group.entries.map(({ entry, ranges }) => (
              <EntryRow
                key={entry.id}
                id={optionId(entry)}
                entry={entry}
                ranges={ranges}
                active={active === entry}
                onActive={() => activate(entry)}
                onChoose={() => choose(entry)}
              />
            ))}
          </div>
        ))}
      </div>
      <PaletteFooter searching={documents.searching} failed={documents.error !== null} empty={shown.length === 0} />
    </>
  );
}

/** What the list does not say: that the service is being asked, has not answered, or that nothing fits. */
function PaletteFooter({ searching, failed, empty }: { searching: boolean; failed: boolean; empty: boolean }) {
  const { t } = useLocalizer();
  const line = searching ? t("palette-searching") : failed ? t("palette-failed") : empty ? t("palette-none") : null;
  return (
    <div className="flex min-h-8 shrink-0 flex-wrap items-center gap-x-4 rounded-b-lg border-line border-t bg-sunken px-4 py-1 text-fg-2 text-xs">
      <span className={`flex-1 ${searching ? "pulse" : ""}`}>{line}</span>
      <span className="flex items-center gap-1.5 max-narrow:hidden">
        <Kbd keys="↑ ↓" />
        {t("key-move")}
      </span>
      <span className="flex items-center gap-1.5 max-narrow:hidden">
        <Kbd keys="Enter" />
        {t("key-open")}
      </span>
    </div>
  );
}
