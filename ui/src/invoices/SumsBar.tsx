/** Sums of the selection and of the whole filter, one for each currency. */

import type { ReactNode } from "react";
import { NumericText } from "../components/BidiText";
import { useAnnouncement } from "../components/useAnnouncement";
import { useLocalizer } from "../i18n/LocalizerProvider";
import type { CurrencySum } from "../ipc/bindings";
import { type Selection, selectedCount, sums } from "./selection";

export interface SumsBarProps {
  selection: Selection;
  total: number;
  all: readonly CurrencySum[];
  /** What can be done with the selection. */
  actions?: ReactNode;
}

export function SumsBar({ selection, total, all, actions }: SumsBarProps) {
  const { t, format } = useLocalizer();
  const count = selectedCount(selection, total);
  const selected = count > 0 ? sums(selection, all) : [];
  const sumTexts = selected.flatMap(({ net, tax, gross, currency }) => [
    `${t("net")} ${format.money(net, currency)}`,
    `${t("tax")} ${format.amount(tax, currency)}`,
    `${t("gross")} ${format.amount(gross, currency)}`,
  ]);
  useAnnouncement(count === 0 ? null : format.list([t("selected", { count }), ...sumTexts]));
  return (
    <div className="flex min-h-9 shrink-0 flex-wrap items-center gap-x-4 gap-y-0.5 border-line-strong border-t bg-sunken px-3 py-1 text-fg-2">
      {count > 0 && (
        <div className="flex flex-wrap items-center gap-x-4">
          <span>{t("selected", { count })}</span>
          {selected.map((sum) => (
            <span key={sum.currency} className="flex flex-wrap gap-x-3">
              <Sum label={t("net")} text={format.money(sum.net, sum.currency)} />
              <Sum label={t("tax")} text={format.amount(sum.tax, sum.currency)} />
              <Sum label={t("gross")} text={format.amount(sum.gross, sum.currency)} />
            </span>
          ))}
        </div>
      )}
      {actions}
      <div className="ms-auto flex flex-wrap justify-end gap-x-3">
        <span>{t("filter-sum", { count: total })}</span>
        {all.map((sum) => (
          <NumericText key={sum.currency} className="font-semibold text-fg">
            {format.money(sum.gross, sum.currency)}
          </NumericText>
        ))}
      </div>
    </div>
  );
}

function Sum({ label, text }: { label: string; text: string }) {
  return (
    <span>
      {label} <NumericText className="font-semibold text-fg">{text}</NumericText>
    </span>
  );
}
