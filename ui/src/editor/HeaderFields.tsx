/** Fields of the header: dates, currency, and the corrected document. */

import { memo, type ReactNode } from "react";
import { NumericText, Separator } from "../components/BidiText";
import { DateField } from "../components/DateField";
import { TextField } from "../components/Field";
import { useLocalizer } from "../i18n/LocalizerProvider";
import type { DueTerms, InvoiceContent } from "../ipc/bindings";
import { CodeSelect } from "./CodeSelect";
import { currencyList } from "./codeLists";
import { DueDateTerms } from "./DueDateTerms";

export interface FieldsProps {
  content: InvoiceContent;
  onFieldChange: (path: string, text: string) => void;
  isDisabled: boolean;
}

/** Marks the element of a field, so that an error can move the focus to it. */
export function FieldAnchor({ field, className = "", children }: { field: string; className?: string; children: ReactNode }) {
  return (
    <div data-field={field} className={`min-w-0 ${className}`}>
      {children}
    </div>
  );
}

/** What the header shows of the content. */
const SHOWN = ["correction", "issueDate", "dueDate", "dueTerms", "supplyDate", "currency"] as const;

export interface HeaderFieldsProps extends Omit<FieldsProps, "content"> {
  content: Pick<InvoiceContent, (typeof SHOWN)[number]>;
  /** Terms that were typed give a due date, or give back the one of before. */
  onDueDate: (dueDate: string, terms: DueTerms | null) => void;
}

/** Not rendered by typing in a line: its date fields and the list of currencies are many elements. */
export const HeaderFields = memo(function HeaderFields({ content, onFieldChange, onDueDate, isDisabled }: HeaderFieldsProps) {
  const { t, format } = useLocalizer();
  const date = (path: "issueDate" | "dueDate" | "supplyDate", label: string) => (
    <FieldAnchor field={path}>
      <DateField
        label={label}
        name={path}
        value={content[path]}
        onChange={(text) => onFieldChange(path, text)}
        keepsUnfinished
        isDisabled={isDisabled}
      />
    </FieldAnchor>
  );
  return (
    <section data-region="" aria-label={t("section-header")} className="flex flex-col gap-3">
      {content.correction && (
        <div className="flex flex-wrap items-end gap-3 rounded-md border border-line bg-canvas p-3">
          <p data-field="correction.number" className="min-w-48 text-fg-2">
            {t("corrects")} <NumericText className="font-semibold text-fg">{content.correction.number}</NumericText>
            {content.correction.issueDate !== "" && (
              <>
                <Separator />
                <span className="numeric">{format.date(content.correction.issueDate)}</span>
              </>
            )}
          </p>
          <FieldAnchor field="correction.reason" className="flex-1">
            <TextField
              label={t("field-reason")}
              name="correction.reason"
              isRequired
              value={content.correction.reason}
              onChange={(text) => onFieldChange("correction.reason", text)}
              isDisabled={isDisabled}
            />
          </FieldAnchor>
        </div>
      )}
      <div className="grid grid-cols-[repeat(auto-fit,minmax(150px,1fr))] gap-3">
        {date("issueDate", t("field-issue-date"))}
        <FieldAnchor field="terms">
          <DueDateTerms
            issueDate={content.issueDate}
            dueDate={content.dueDate}
            dueTerms={content.dueTerms ?? null}
            onDueDate={onDueDate}
            isDisabled={isDisabled}
          />
        </FieldAnchor>
        {date("dueDate", t("field-due-date"))}
        {date("supplyDate", t("field-supply-date"))}
        <FieldAnchor field="currency">
          <CodeSelect
            label={t("field-currency")}
            name="currency"
            value={content.currency}
            list={currencyList}
            onChange={(text) => onFieldChange("currency", text)}
            isDisabled={isDisabled}
          />
        </FieldAnchor>
      </div>
    </section>
  );
}, showSame);

function showSame(before: HeaderFieldsProps, after: HeaderFieldsProps): boolean {
  return (
    before.onFieldChange === after.onFieldChange &&
    before.onDueDate === after.onDueDate &&
    before.isDisabled === after.isDisabled &&
    SHOWN.every((name) => before.content[name] === after.content[name])
  );
}
