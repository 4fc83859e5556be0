/** The lines of an invoice to tick, each with its quantity, and what they come to beside what is left to credit. */

import { type KeyboardEvent, type ReactNode, useMemo, useRef, useState } from "react";
import { Form } from "react-aria-components";
import { NumericText } from "../components/BidiText";
import { Button } from "../components/Button";
import { Checkbox } from "../components/Checkbox";
import { DiscardQuestionText } from "../components/DiscardQuestionText";
import { Modal } from "../components/Modal";
import { useDiscardQuestion } from "../components/useDiscardQuestion";
import { ruleMessage } from "../editor/fields";
import { useCalculation } from "../editor/useDraftEditor";
import { Notice } from "../errors/Notice";
import { useLocalizer } from "../i18n/LocalizerProvider";
import { isGreater } from "../invoices/decimal";
import type { Calculation, DocumentRelations, InvoiceContent, InvoiceView } from "../ipc/bindings";
import { useWorkspace } from "../state/workspace";
import { CreditLineRow } from "./CreditLineRow";
import {
  type CreditLine,
  creditLines,
  creditNoteOf,
  creditNoteOfOtherLines,
  hasFixedAmounts,
  isAboveLeft,
  isCredited,
  isZero,
} from "./creditLines";

export interface CreditNoteFormProps {
  view: InvoiceView;
  relations: DocumentRelations;
  busy: boolean;
  /** Why the note could not be opened. */
  notice: ReactNode;
  onStart: (content: InvoiceContent) => void;
  onClose: () => void;
}

export function CreditNoteForm({ view, relations, busy, notice, onStart, onClose }: CreditNoteFormProps) {
  const localizer = useLocalizer();
  const { t, format } = localizer;
  const { organization } = useWorkspace();
  const [opened] = useState(() => creditLines(relations.lines));
  const [lines, setLines] = useState(opened);
  const { asking, close, keep } = useDiscardQuestion(lines !== opened && !busy, onClose);
  const content = useMemo(() => creditNoteOf(view, lines), [view, lines]);
  const [calculation] = useCalculation(organization.id, content);
  const list = useRef<HTMLUListElement>(null);

  const { remaining, currency } = relations;
  const nothingLeft = remaining !== "" && isZero(remaining);
  const chosen = lines.filter((line) => line.chosen);
  const choosable = lines.filter(({ line }) => !isCredited(line));
  // An answer about other lines says nothing of these.
  const current = calculation?.lines.length === chosen.length ? calculation : null;
  const gross = chosen.length === 0 ? "" : (current?.totals?.gross ?? "");
  const isTooMuch = gross !== "" && remaining !== "" && isGreater(gross, remaining);
  const problems = lines.map((line) => problemOf(line, chosen.indexOf(line)));

  function problemOf(line: CreditLine, at: number): string | null {
    if (!line.chosen) return null;
    if (isAboveLeft(line)) return t("credit-above-left", { left: format.decimal(line.line.quantity) });
    const violation = current && quantityViolation(current, at);
    return violation ? ruleMessage(violation, localizer) : null;
  }
  const canStart = !nothingLeft && chosen.length > 0 && problems.every((problem) => problem === null);
  const changeLines = (changed: CreditLine[]) => {
    keep();
    setLines(changed);
  };
  const change = (index: number, part: Partial<CreditLine>) =>
    changeLines(lines.map((line, at) => (at === index ? { ...line, ...part } : line)));
  const chooseAll = (all: boolean) => changeLines(lines.map((line) => ({ ...line, chosen: all && !isCredited(line.line) })));
  const start = () => {
    if (!canStart || busy) return;
    keep();
    onStart(content);
  };
  return (
    <Modal
      title={t("credit-title", { number: view.row.number })}
      width="lg"
      isOpen
      onClose={close}
      actions={
        <>
          <Button onPress={close}>{t(asking ? "form-discard" : "cancel")}</Button>
          {!nothingLeft && (
            <Button
              isBusy={busy}
              onPress={() => {
                keep();
                onStart(creditNoteOfOtherLines(view));
              }}
            >
              {t("credit-other")}
            </Button>
          )}
          <Button variant="primary" isDisabled={!canStart} isBusy={busy} onPress={start}>
            {t("credit-continue", { count: chosen.length })}
          </Button>
        </>
      }
    >
      <Form
        onSubmit={(event) => {
          event.preventDefault();
          start();
        }}
        className="flex flex-col gap-3"
      >
        {notice}
        {nothingLeft && <Notice severity="info" variant="card" text={t("credit-nothing-left")} />}
        {choosable.length > 0 && (
          <>
            <p className="text-fg-2">{t("credit-hint")}</p>
            <div className="flex px-3">
              <Checkbox
                autoFocus
                isSelected={chosen.length === choosable.length}
                isIndeterminate={chosen.length > 0 && chosen.length < choosable.length}
                onChange={() => chooseAll(chosen.length < choosable.length)}
              >
                {t("credit-all")}
              </Checkbox>
            </div>
          </>
        )}
        {/* The arrow keys belong to the fields of its lines. */}
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
        <ul
          ref={list}
          aria-label={t("section-lines")}
          onKeyDown={moveBetweenLines}
          className="flex flex-col rounded-md border border-line-strong"
        >
          {lines.map((line, index) => (
            <CreditLineRow
              // The lines of the dialog stay in their places.
              // oxlint-disable-next-line react/no-array-index-key
              key={index}
              line={line}
              number={index + 1}
              currency={currency}
              net={current?.lines[chosen.indexOf(line)]?.net ?? ""}
              problem={problems[index] ?? null}
              onChange={(part) => change(index, part)}
            />
          ))}
        </ul>
        {hasFixedAmounts(content) && <p className="text-fg-2 text-xs">{t("credit-fixed-amounts")}</p>}
        <dl className="grid grid-cols-[1fr_auto] gap-x-4 gap-y-1">
          {remaining !== "" && (
            <>
              <dt className="text-fg-2">{t("remaining-to-credit")}</dt>
              <dd className="amount-column">
                <NumericText>{format.money(remaining, currency)}</NumericText>
              </dd>
            </>
          )}
          <dt className="font-semibold">{t("credit-sum")}</dt>
          <dd className="amount-column" aria-live="polite" data-credit-sum="">
            <NumericText className="font-semibold">{gross === "" ? "—" : format.money(gross, currency)}</NumericText>
          </dd>
        </dl>
        {isTooMuch && (
          <Notice
            severity="warning"
            variant="card"
            text={t("credit-too-much", { sum: format.money(gross, currency), remaining: format.money(remaining, currency) })}
          />
        )}
        {asking && <DiscardQuestionText />}
        {/* Enter in a field accepts. */}
        <button type="submit" hidden aria-hidden="true" tabIndex={-1} />
      </Form>
    </Modal>
  );
}

/** What the rules say of the quantity of a line of the note. */
function quantityViolation({ violations }: Calculation, at: number) {
  return violations.find(({ field }) => field === `lines[${at}].quantity`);
}

/** Arrow up and down go to the same field of the line above and below. */
function moveBetweenLines(event: KeyboardEvent<HTMLUListElement>): void {
  const by = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
  const column = (event.target as Element).closest("[data-credit-column]")?.getAttribute("data-credit-column");
  if (by === 0 || !column) return;
  const fields = [...event.currentTarget.querySelectorAll<HTMLElement>(`[data-credit-column="${column}"] input:enabled`)];
  const next = fields[fields.indexOf(event.target as HTMLElement) + by];
  event.preventDefault();
  next?.focus();
  if (next instanceof HTMLInputElement && next.type !== "checkbox") next.select();
}
