/** The printed form of what is typed, as it is typed. */

import { type ReactNode, useCallback } from "react";
import { useLocalizer } from "../i18n/LocalizerProvider";
import type { Draft } from "../ipc/bindings";
import { commands } from "../ipc/call";
import { withBinding } from "../state/withBinding";
import { useWorkspace } from "../state/workspace";
import { PaperView } from "./PaperView";
import { ALL_PAGES, usePaperChoices } from "./paperChoices";
import { TextsWithoutArabic } from "./TextsWithoutArabic";
import { usePrintedPages } from "./usePrintedPages";

/** After the last input. */
const DELAY_MS = 250;
/** Few: the preview is made again and again. */
const PREVIEW_PAGES = 4;

export interface DraftPaperProps {
  draft: Draft;
  /** Of the seller. */
  country: string;
  /** Moves the focus to a field of the form. */
  onGo: (field: string) => void;
  children?: ReactNode;
}

export function DraftPaper({ draft, country, onGo, children }: DraftPaperProps) {
  const { t } = useLocalizer();
  const { organization } = useWorkspace();
  const { language: chosen } = usePaperChoices();
  const { id } = organization;
  const print = useCallback(
    (pages: number) => withBinding(id, (binding) => commands.printDraft(binding, draft, chosen, pages)),
    [id, draft, chosen],
  );
  const preview = useCallback(() => print(PREVIEW_PAGES), [print]);
  const all = useCallback(() => print(ALL_PAGES), [print]);
  const printed = usePrintedPages(preview, DELAY_MS);
  return (
    <PaperView
      printed={printed}
      all={all}
      title={t(`kind-${draft.content.kind}`)}
      notice={<TextsWithoutArabic content={draft.content} country={country} onGo={onGo} />}
    >
      {children}
    </PaperView>
  );
}
