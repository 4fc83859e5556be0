/** How an amount comes about: its operands, its value before rounding, and its rule. An operand that is computed opens its own. */

import { useQuery } from "@tanstack/react-query";
import { ArrowLeft } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { NumericText } from "../../components/BidiText";
import { Button } from "../../components/Button";
import { Modal } from "../../components/Modal";
import { ErrorNotice } from "../../errors/ErrorNotice";
import { useLocalizer } from "../../i18n/LocalizerProvider";
import type { ExplanationInput, ExplanationStep, InvoiceContent, TaxRow } from "../../ipc/bindings";
import { commandError, commands } from "../../ipc/call";
import { withBinding } from "../../state/withBinding";
import { useWorkspace } from "../../state/workspace";
import { detailsOf } from "./detailFields";
import { amountName, operandValue, roundedDigits, shownInputs } from "./explanation";

export interface ExplanationDialogProps {
  isOpen: boolean;
  onClose: () => void;
  content: InvoiceContent;
  taxBreakdown: readonly TaxRow[];
  /** The amount, as `totals.tax` or `lines[2].net`. */
  path: string;
}

export function ExplanationDialog({ isOpen, onClose, ...explained }: ExplanationDialogProps) {
  const { t } = useLocalizer();
  return (
    <Modal title={t("explain-title")} isOpen={isOpen} onClose={onClose}>
      <Explanation {...explained} />
    </Modal>
  );
}

function Explanation({ content, taxBreakdown, path }: Omit<ExplanationDialogProps, "isOpen" | "onClose">) {
  const localizer = useLocalizer();
  const { t } = localizer;
  const { organization } = useWorkspace();
  const steps = useQuery({
    queryKey: [organization.id, "explanation", content],
    queryFn: () => withBinding(organization.id, (binding) => commands.explain(binding, content)),
    gcTime: 0,
  });
  // The amounts that were opened one from the other.
  const [opened, setOpened] = useState([path]);
  const heading = useRef<HTMLHeadingElement>(null);
  const shown = opened.at(-1) ?? path;
  useEffect(() => {
    if (opened.length > 1 || opened[0] !== path) heading.current?.focus();
  }, [opened, path]);
  const name = (of: string) => amountName(of, { content, taxBreakdown }, localizer);
  const before = opened.at(-2);
  const back = () => {
    setOpened((all) => all.slice(0, -1));
    heading.current?.focus();
  };
  if (steps.error) return <ErrorNotice error={commandError(steps.error)} variant="inline" />;
  if (!steps.data) return <p role="status">{t("loading")}</p>;
  const step = steps.data.find((each) => each.path === shown);
  const hasStep = (of: string) => steps.data.some((each) => each.path === of);
  return (
    <div className="flex flex-col items-start gap-3">
      {before !== undefined && (
        <Button
          size="sm"
          variant="quiet"
          onPress={back}
          icon={<ArrowLeft size={13} aria-hidden="true" className="mirror-in-rtl" />}
        >
          {t("explain-back", { amount: name(before) })}
        </Button>
      )}
      <h3 ref={heading} tabIndex={-1} className="font-semibold outline-none">
        {name(shown)}
      </h3>
      {step ? (
        <Step
          step={step}
          currency={content.currency}
          taxCurrency={detailsOf(content).taxCurrency || content.currency}
          name={name}
          onOpen={(of) => setOpened((all) => [...all, of])}
          opens={(of) => of !== shown && hasStep(of)}
        />
      ) : (
        <p className="text-fg-2">{t("explain-none")}</p>
      )}
    </div>
  );
}

const SIGNS = {
  times: ["×", "sign-times"],
  timesPercent: ["×", "sign-percent"],
  dividedBy: ["÷", "sign-divided"],
  plus: ["+", "sign-plus"],
  minus: ["\u2212", "sign-minus"],
} as const;

interface StepProps {
  step: ExplanationStep;
  currency: string;
  taxCurrency: string;
  name: (path: string) => string;
  opens: (path: string) => boolean;
  onOpen: (path: string) => void;
}

function Step({ step, currency, taxCurrency, name, opens, onOpen }: StepProps) {
  const localizer = useLocalizer();
  const { t, format } = localizer;
  const inputs = shownInputs(step);
  const products = inputs.filter(({ operation }) => operation !== "plus" && operation !== "minus");
  const sums = inputs.slice(products.length);
  const exact = roundedDigits(step, currency);
  const row = (input: ExplanationInput, index: number, isFirst: boolean) => (
    // Operands have no id, and an explanation does not change.
    // oxlint-disable-next-line react/no-array-index-key
    <tr key={`${input.path} ${index}`}>
      <td className="w-6 py-1 text-center text-fg-2">{isFirst ? "" : <Sign operation={input.operation} />}</td>
      <th scope="row" className="py-1 text-start font-normal">
        {opens(input.path) ? (
          <button
            type="button"
            onClick={() => onOpen(input.path)}
            className="min-h-6 rounded-sm text-start text-accent underline underline-offset-2 hover:no-underline"
          >
            {name(input.path)}
          </button>
        ) : (
          name(input.path)
        )}
      </th>
      <td className="amount-column py-1">
        <NumericText>{operandValue(input, currency, localizer)}</NumericText>
      </td>
    </tr>
  );
  const digits = exact === null ? "" : format.decimal(exact);
  return (
    <>
      <table className="w-full">
        <tbody>
          {inputs.length === 0 && (
            <tr>
              <td colSpan={3} className="py-1 text-fg-2">
                {t("explain-empty")}
              </td>
            </tr>
          )}
          {products.map((input, index) => row(input, index, index === 0))}
          {exact !== null && (
            <tr>
              <td colSpan={3} className="py-1 ps-6 text-fg-2 text-xs">
                {t(sums.length > 0 ? "explain-rounded-before" : "explain-rounded", {
                  exact: step.unroundedIsExact ? digits : t("explain-cut", { digits }),
                })}
              </td>
            </tr>
          )}
          {sums.map((input, index) => row(input, index, products.length === 0 && index === 0 && input.operation === "plus"))}
        </tbody>
        <tfoot>
          <tr className="border-line-strong border-t font-semibold">
            <td className="py-1.5 text-center">
              <span aria-hidden="true">=</span>
            </td>
            <th scope="row" className="py-1.5 text-start">
              {name(step.path)}
            </th>
            <td className="amount-column py-1.5">
              <NumericText>
                {format.money(step.result, step.path === "totals.taxInTaxCurrency" ? taxCurrency : currency)}
              </NumericText>
            </td>
          </tr>
        </tfoot>
      </table>
      <p className="text-fg-3 text-xs">{t("explain-rule", { term: step.term, rule: step.rule })}</p>
    </>
  );
}

function Sign({ operation }: { operation: ExplanationInput["operation"] }) {
  const { t } = useLocalizer();
  const [sign, words] = SIGNS[operation];
  return (
    <>
      <span aria-hidden="true">{sign}</span>
      <span className="visually-hidden">{t(words)}</span>
    </>
  );
}
