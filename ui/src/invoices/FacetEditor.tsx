/** Form of one filter, in the popover of its chip. Each change applies at once. */

import { type Dispatch, type SetStateAction, useState } from "react";
import { CheckboxGroup } from "react-aria-components";
import { Button } from "../components/Button";
import { Checkbox } from "../components/Checkbox";
import { DateField } from "../components/DateField";
import { readDate } from "../components/readDate";
import { useLocalizer } from "../i18n/LocalizerProvider";
import { todayOf } from "../organizations/today";
import type { InvoiceFilter } from "../queries/invoicePages";
import { useWorkspace } from "../state/workspace";
import { AmountRange } from "./AmountRange";
import { datePresets } from "./datePresets";
import type { Facet } from "./filter";
import { kinds, payments, statuses, submissions } from "./filterValues";

export interface FacetEditorProps {
  facet: Facet;
  filter: InvoiceFilter;
  onFilter: Dispatch<SetStateAction<InvoiceFilter>>;
  currencies: readonly string[];
}

export function FacetEditor({ facet, filter, onFilter, currencies }: FacetEditorProps) {
  const { t } = useLocalizer();
  switch (facet) {
    case "status":
      return (
        <Choices label={t("facet-status")} value={filter.status} onChange={(status) => onFilter({ ...filter, status })}>
          {statuses.map((status) => ({ id: status, label: t(`status-${status}`) }))}
        </Choices>
      );
    case "payment":
      return (
        <Choices label={t("facet-payment")} value={filter.payment} onChange={(payment) => onFilter({ ...filter, payment })}>
          {payments.map((state) => ({ id: state, label: t(`payment-${state}`) }))}
        </Choices>
      );
    case "submission":
      return (
        <>
          <Choices
            label={t("facet-submission")}
            value={filter.submission}
            onChange={(submission) => onFilter({ ...filter, submission })}
          >
            {submissions.map((state) => ({ id: state, label: t(`submission-state-${state}`) }))}
          </Choices>
          <div className="mt-2 border-line border-t pt-2">
            <Checkbox isSelected={filter.hasWarnings} onChange={(hasWarnings) => onFilter({ ...filter, hasWarnings })}>
              {t("submission-only-remarks")}
            </Checkbox>
          </div>
        </>
      );
    case "kind":
      return (
        <Choices label={t("facet-kind")} value={filter.kind} onChange={(kind) => onFilter({ ...filter, kind })}>
          {kinds.map((kind) => ({ id: kind, label: t(`kind-${kind}`) }))}
        </Choices>
      );
    case "currency":
      return (
        <Choices label={t("facet-currency")} value={filter.currency} onChange={(currency) => onFilter({ ...filter, currency })}>
          {[...new Set([...currencies, ...filter.currency])].toSorted().map((currency) => ({ id: currency, label: currency }))}
        </Choices>
      );
    case "issued":
      return (
        <DateRange
          from={filter.issuedFrom}
          to={filter.issuedTo}
          onChange={(issuedFrom, issuedTo) => onFilter({ ...filter, issuedFrom, issuedTo })}
        />
      );
    case "due":
      return (
        <DateRange
          from={filter.dueFrom}
          to={filter.dueTo}
          onChange={(dueFrom, dueTo) => onFilter({ ...filter, dueFrom, dueTo })}
        />
      );
    case "gross":
      return <AmountRange filter={filter} onFilter={onFilter} />;
  }
}

function Choices<T extends string>({
  label,
  value,
  onChange,
  children,
}: {
  label: string;
  value: T[];
  onChange: (value: T[]) => void;
  children: readonly { id: T; label: string }[];
}) {
  return (
    <CheckboxGroup aria-label={label} value={value} onChange={(next) => onChange(next as T[])} className="flex flex-col">
      {children.map((choice) => (
        <Checkbox key={choice.id} value={choice.id}>
          {choice.label}
        </Checkbox>
      ))}
    </CheckboxGroup>
  );
}

function DateRange({ from, to, onChange }: { from: string; to: string; onChange: (from: string, to: string) => void }) {
  const { t } = useLocalizer();
  const { organization } = useWorkspace();
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap gap-1">
        {datePresets(todayOf(organization)).map((preset) => (
          <Button key={preset.id} size="sm" onPress={() => onChange(preset.from, preset.to)}>
            {t(`preset-${preset.id}`)}
          </Button>
        ))}
      </div>
      <RangeEnd label={t("from")} date={from} onChange={(date) => onChange(date, to)} />
      <RangeEnd label={t("to")} date={to} onChange={(date) => onChange(from, date)} />
    </div>
  );
}

/** One end of a range. While its date is not finished, the list is not filtered by the one of before, which is not shown. */
function RangeEnd({ label, date, onChange }: { label: string; date: string; onChange: (date: string) => void }) {
  const [typed, setTyped] = useState({ text: date, date });
  // A range that is chosen takes the place of what was typed.
  if (date !== typed.date) setTyped({ text: date, date });
  const change = (text: string) => {
    const next = readDate(text) === null ? "" : text;
    setTyped({ text, date: next });
    if (next !== date) onChange(next);
  };
  return <DateField label={label} value={typed.text} onChange={change} keepsUnfinished />;
}
