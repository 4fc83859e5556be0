/** The amounts of a filter, in any digits. The list is filtered by them unless the core finds no number in one, which its field says. */

import { keepPreviousData, useIsFetching, useQuery } from "@tanstack/react-query";
import { type Dispatch, type SetStateAction, useCallback, useEffect, useState } from "react";
import { TextField } from "../components/Field";
import { useLatest } from "../components/useLatest";
import { ruleMessage } from "../editor/fields";
import { useLocalizer } from "../i18n/LocalizerProvider";
import type { Localizer } from "../i18n/localizer";
import type { Violation } from "../ipc/bindings";
import { commands } from "../ipc/call";
import { type InvoiceFilter, invoicesKey } from "../queries/invoicePages";
import { useSearchPace } from "../queries/useSearchPace";
import { withBinding } from "../state/withBinding";
import { useWorkspace } from "../state/workspace";

interface Range {
  from: string;
  to: string;
}

export interface AmountRangeProps {
  filter: InvoiceFilter;
  onFilter: Dispatch<SetStateAction<InvoiceFilter>>;
}

export function AmountRange({ filter, onFilter }: AmountRangeProps) {
  const localizer = useLocalizer();
  const { t } = localizer;
  const { organization } = useWorkspace();
  const [typed, setTyped] = useState<Range>({ from: filter.grossFrom, to: filter.grossTo });
  // A filter that was not set here is that of a view that was opened by its key. It has amounts of its own.
  const [shown, setShown] = useState(filter);
  if (shown !== filter) {
    setShown(filter);
    setTyped({ from: filter.grossFrom, to: filter.grossTo });
  }
  const { currency } = filter;
  const from = typed.from.trim();
  const to = typed.to.trim();
  const wanted = textOf({ from, to });
  const applied = textOf({ from: filter.grossFrom, to: filter.grossTo });
  const check = useQuery({
    queryKey: [organization.id, "amounts", from, to, currency],
    queryFn: () => withBinding(organization.id, (binding) => commands.checkAmounts(binding, from, to, currency)),
    gcTime: 0,
    enabled: wanted !== "",
    // What is wrong stays until the answer to the next letter.
    placeholderData: keepPreviousData,
  });
  const refused = refusals(wanted === "" ? [] : (check.data ?? []), localizer);
  const isRefused = refused.from !== undefined || refused.to !== undefined;
  const isChecked = wanted === "" || (!check.isPending && !check.isPlaceholderData);
  const apply = useCallback(() => {
    const next = { ...filter, grossFrom: from, grossTo: to };
    setShown(next);
    // An amount belongs to the view that it was typed in, which may have been left meanwhile.
    onFilter((current) => (current === filter ? next : current));
  }, [filter, from, to, onFilter]);
  // The list asks the service for each range that it gets.
  const isListing = useIsFetching({ queryKey: invoicesKey(organization.id) }) > 0;
  useSearchPace(isChecked && !isRefused ? wanted : applied, applied, isListing, apply);

  // Escape may close the filter before the last input was checked, or could be listed.
  const leave = useLatest(() => {
    if (wanted !== applied && !(isChecked && isRefused)) apply();
  });
  useEffect(() => () => leave.current(), [leave]);

  const field = (end: keyof Range) => (
    <TextField
      label={t(end)}
      numeric
      inputMode="decimal"
      value={typed[end]}
      onChange={(value) => setTyped({ ...typed, [end]: value })}
      validationBehavior="aria"
      validate={() => refused[end]}
    />
  );
  return (
    <div className={`grid gap-2 ${isRefused ? "grid-cols-1" : "grid-cols-2"}`}>
      {field("from")}
      {field("to")}
    </div>
  );
}

/** A range to compare with. Without amounts it is empty. */
function textOf({ from, to }: Range): string {
  return from === "" && to === "" ? "" : `${from}\n${to}`;
}

/** What is wrong with the ends of the range, in words. */
function refusals(violations: readonly Violation[], localizer: Localizer): Partial<Range> {
  const found: Partial<Range> = {};
  for (const violation of violations) {
    const end = /^filter\.gross\.(from|to)$/.exec(violation.path)?.[1];
    if (end === "from" || end === "to") found[end] = ruleMessage(violation, localizer);
  }
  return found;
}
