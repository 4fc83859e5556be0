/** Dates, currency, and what a correction corrects. */

import type { ReactNode } from "react";
import type { InvoiceContent } from "../ipc/bindings";
import { DateField } from "../parts/DateField";
import { TextField } from "../parts/Field";
import { Figure } from "../parts/Figure";
import { Select } from "../parts/Select";
import { useWords } from "../words/WordsProvider";
import { currencies } from "./codes";

export interface FieldsProps {
  content: InvoiceContent;
  typed: (path: string, text: string) => void;
  isDisabled: boolean;
}

/** A field's place in the page, for what jumps to it. */
export function Place({ field, className = "", children }: { field: string; className?: string; children: ReactNode }) {
  return (
    <div data-field={field} className={`min-w-0 ${className}`}>
      {children}
    </div>
  );
}

export function HeaderFields({ content, typed, isDisabled }: FieldsProps) {
  const { t, locale, format } = useWords();
  const date = (path: "issueDate" | "dueDate" | "supplyDate", label: string) => (
    <Place field={path}>
      <DateField label={label} name={path} value={content[path]} onChange={(text) => typed(path, text)} isDisabled={isDisabled} />
    </Place>
  );
  return (
    <section aria-label={t("section-header")} className="flex flex-col gap-3">
      {content.correction && (
        <div className="flex flex-wrap items-end gap-3 rounded-md border border-line bg-paper p-3">
          <p data-field="correction.number" className="min-w-48 text-ink-2">
            {t("corrects")} <Figure className="font-semibold text-ink">{content.correction.number}</Figure>
            {content.correction.issueDate !== "" && (
              <span className="figures"> · {format.date(content.correction.issueDate)}</span>
            )}
          </p>
          <Place field="correction.reason" className="flex-1">
            <TextField
              label={t("field-reason")}
              name="correction.reason"
              isRequired
              value={content.correction.reason}
              onChange={(text) => typed("correction.reason", text)}
              isDisabled={isDisabled}
            />
          </Place>
        </div>
      )}
      <div className="grid grid-cols-[repeat(auto-fit,minmax(150px,1fr))] gap-3">
        {date("issueDate", t("field-issue-date"))}
        {date("dueDate", t("field-due-date"))}
        {date("supplyDate", t("field-supply-date"))}
        <Place field="currency">
          <Select
            label={t("field-currency")}
            name="currency"
            value={content.currency}
            choices={currencies(locale, content.currency)}
            onChange={(text) => typed("currency", text)}
            isDisabled={isDisabled}
          />
        </Place>
      </div>
    </section>
  );
}
