/** The amounts of a filter, in any digits. The list is filtered by them unless the core finds no number in one, which its field says. */

import { useQuery } from "@tanstack/react-query";
import { type Dispatch, type SetStateAction, useEffect, useRef, useState } from "react";
import { TextField } from "../components/Field";
import { ruleMessage } from "../editor/fields";
import { useLocalizer } from "../i18n/LocalizerProvider";
import type { Localizer } from "../i18n/localizer";
import { commandError } from "../ipc/call";
import { type InvoiceFilter, pageQuery } from "../queries/invoicePages";
import { useWorkspace } from "../state/workspace";

/** Delay after the last input before an amount filters the list. */
const INPUT_DEBOUNCE_MS = 350;

/** How long a refusal is waited for: the core answers with it at once, and with a list when the service does. */
const REFUSAL_MS = 150;

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
  const [asked, setAsked] = useState(typed);
  // A filter that was not set here is that of a view that was opened by its key. It has amounts of its own.
  const [shown, setShown] = useState(filter);
  if (shown !== filter) {
    setShown(filter);
    const range = { from: filter.grossFrom, to: filter.grossTo };
    setTyped(range);
    setAsked(range);
  }
  useEffect(() => {
    const timer = setTimeout(() => setAsked(typed), INPUT_DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [typed]);

  const wanted = { ...filter, grossFrom: asked.from.trim(), grossTo: asked.to.trim() };
  const isEmpty = wanted.grossFrom === "" && wanted.grossTo === "";
  const isNew = wanted.grossFrom !== filter.grossFrom || wanted.grossTo !== filter.grossTo;
  // The list reads the same page. Trying again is for the list alone.
  const { error, isPending } = useQuery({ ...pageQuery(organization.id, wanted, 0), enabled: !isEmpty, retryOnMount: false });
  const refused = refusals(isEmpty ? null : error, localizer);
  const isRefused = refused.from !== undefined || refused.to !== undefined;
  const apply = useRef(() => {});
  useEffect(() => {
    apply.current = () => {
      setShown(wanted);
      // An amount belongs to the view that it was typed in, which may have been left meanwhile.
      onFilter((current) => (current === filter ? wanted : current));
    };
  });
  useEffect(() => {
    if (!isNew || isRefused) return;
    const timer = setTimeout(() => apply.current(), isPending && !isEmpty ? REFUSAL_MS : 0);
    return () => clearTimeout(timer);
  }, [isNew, isRefused, isPending, isEmpty]);

  // Escape closes the filter before the last input has been asked for.
  const leave = useRef(() => {});
  useEffect(() => {
    leave.current = () => {
      const isLeft = typed !== asked || (isNew && !isRefused);
      const last = { ...filter, grossFrom: typed.from.trim(), grossTo: typed.to.trim() };
      if (isLeft) onFilter((current) => (current === filter ? last : current));
    };
  });
  useEffect(() => () => leave.current(), []);

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

/** What is wrong with the ends of the range, in words. */
function refusals(error: Error | null, localizer: Localizer): Partial<Range> {
  const refusal = error && commandError(error);
  if (refusal?.kind !== "invalidArgument") return {};
  const found: Partial<Range> = {};
  for (const violation of refusal.violations) {
    const end = /^filter\.gross\.(from|to)$/.exec(violation.path)?.[1];
    // The service gives its reason without a rule.
    const rule = violation.rule === "" ? "INV-NUMBER" : violation.rule;
    if (end === "from" || end === "to") found[end] = ruleMessage({ ...violation, rule }, localizer);
  }
  return found;
}
