/** The printed document: its pages with language, zoom and printing. */

import { Minus, Plus, Printer } from "lucide-react";
import { type ReactNode, useEffect } from "react";
import { Button, IconButton } from "../components/Button";
import { Select } from "../components/Select";
import { ariaKeyShortcuts, keysOf, matchesShortcut, useShortcutKeys } from "../components/shortcuts";
import { useLatest } from "../components/useLatest";
import { ErrorNotice } from "../errors/ErrorNotice";
import { useLocalizer } from "../i18n/LocalizerProvider";
import type { PrintedPages } from "../ipc/bindings";
import { useCommandCalls } from "../ipc/useCommandCalls";
import { choosePaperZoom, paperLanguages, usePaperChoices, usePaperZoom, zooms } from "./paperChoices";
import { usePrint } from "./usePrint";
import type { PrintedPagesState } from "./usePrintedPages";

export interface PaperViewProps {
  printed: PrintedPagesState;
  /** All pages, for the printer. */
  all: () => Promise<PrintedPages>;
  /** What the pages show, for those who do not see them. */
  title: string;
  /** Between the toolbar and the pages. */
  notice?: ReactNode;
  /** At the end of the toolbar. */
  children?: ReactNode;
}

/** Beyond the limits there is no zoom, and nothing changes. */
function zoom(to: number) {
  const next = zooms[to];
  if (next !== undefined) choosePaperZoom(next);
}

export function PaperView({ printed, all, title, notice, children }: PaperViewProps) {
  const { t, format } = useLocalizer();
  const { language, choose } = usePaperChoices();
  const magnification = usePaperZoom();
  const printKeys = useShortcutKeys("print");
  const { run, error } = useCommandCalls();
  const step = zooms.indexOf(magnification);
  const isSmallest = step <= 0;
  const isLargest = step >= zooms.length - 1;
  const printPages = usePrint();
  const print = () => run(() => printPages(all));
  usePrintKey(() => void print());
  const { pages } = printed;
  const hidden = pages === null ? 0 : pages.total - pages.images.length;
  const failure = error ?? printed.error;
  return (
    <>
      <div className="flex shrink-0 flex-wrap items-center gap-x-1.5 gap-y-1 border-line border-b px-3 py-1.5">
        <div className="w-30">
          <Select
            label={t("paper-language")}
            labelHidden
            value={language}
            choices={paperLanguages.map((id) => ({ id, label: t(`paper-${id}`) }))}
            onChange={(id) => choose({ language: id })}
          />
        </div>
        <div className="flex items-center">
          <IconButton
            isAtLimit={isSmallest}
            label={t("paper-smaller")}
            icon={<Minus size={15} aria-hidden="true" />}
            onPress={() => zoom(step - 1)}
          />
          <span className="numeric min-w-11 text-center text-fg-2 text-xs">{format.percent(String(magnification))}</span>
          <IconButton
            isAtLimit={isLargest}
            label={t("paper-larger")}
            icon={<Plus size={15} aria-hidden="true" />}
            onPress={() => zoom(step + 1)}
          />
        </div>
        <span className="flex-1" />
        <Button
          size="sm"
          aria-keyshortcuts={ariaKeyShortcuts(printKeys)}
          icon={<Printer size={14} aria-hidden="true" />}
          onPress={() => void print()}
        >
          {t("paper-print")}
        </Button>
        {children}
      </div>
      {notice}
      {failure && (
        <div className="shrink-0 p-3">
          <ErrorNotice
            error={failure}
            variant="card"
            handlers={{ tryNow: error ? () => void print() : printed.retry }}
            withDetails={false}
          />
        </div>
      )}
      {/* Scrolled by the keyboard, so it takes the focus. */}
      <div
        role="region"
        aria-label={t("paper-pages")}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        className="paper-desk min-h-0 flex-1 overflow-auto p-3"
      >
        {pages === null && failure === null && (
          <p role="status" className="p-4 text-center text-fg-2">
            {t("loading")}
          </p>
        )}
        <div className="paper-pages" style={{ inlineSize: `${magnification}%` }}>
          {pages?.images.map((image, index) => (
            <img
              // Pages have no identity besides their number.
              // oxlint-disable-next-line react/no-array-index-key
              key={index}
              src={image}
              alt={t("paper-page", { page: index + 1, total: pages.total, title })}
              className="paper-page"
            />
          ))}
        </div>
        {hidden > 0 && <p className="p-3 text-center text-fg-2">{t("paper-more", { count: hidden })}</p>}
      </div>
    </>
  );
}

/** The key that prints, also in a dialog, where no other shortcut works. */
function usePrintKey(print: () => void): void {
  const latest = useLatest(print);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || !matchesShortcut(event, keysOf("print"))) return;
      event.preventDefault();
      event.stopPropagation();
      latest.current();
    };
    window.addEventListener("keydown", onKeyDown, { capture: true });
    return () => window.removeEventListener("keydown", onKeyDown, { capture: true });
  }, [latest]);
}
