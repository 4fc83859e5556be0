/** A line of an invoice that can be credited: ticked or not, and how much of it. */

import { TextField as AriaTextField, Checkbox, FieldError, Input } from "react-aria-components";
import { NameText, NumericText } from "../components/BidiText";
import { CheckboxIndicator } from "../components/CheckboxIndicator";
import { inputClass } from "../components/Field";
import { useLocalizer } from "../i18n/LocalizerProvider";
import { localizedText } from "../i18n/localizedText";
import { type CreditLine, isCredited } from "./creditLines";

export interface CreditLineRowProps {
  line: CreditLine;
  /** From 1. */
  number: number;
  currency: string;
  /** Without tax, as computed for the note; empty if it is not known. */
  net: string;
  /** What is wrong with the quantity. */
  problem: string | null;
  onChange: (part: Partial<CreditLine>) => void;
}

export function CreditLineRow({ line: credit, number, currency, net, problem, onChange }: CreditLineRowProps) {
  const { t, has, format, language } = useLocalizer();
  const { line, chosen, quantity } = credit;
  const credited = isCredited(line);
  const name = localizedText(line.description, language) || t("line-number", { line: format.integer(number) });
  const unit = has(`unit-${line.unit}`) ? t(`unit-${line.unit}` as "unit-C62") : line.unit;
  return (
    <li className="flex flex-wrap items-start gap-x-3 gap-y-1 border-line border-b px-3 py-2 last:border-b-0">
      <div data-credit-column="chosen" className="min-w-40 flex-1">
        <Checkbox
          isDisabled={credited}
          isSelected={chosen}
          onChange={(isSelected) => onChange({ chosen: isSelected })}
          className="flex min-h-7 items-start gap-2 rounded-sm"
        >
          {({ isSelected }) => (
            <>
              <span className="pt-1">
                <CheckboxIndicator checked={isSelected} />
              </span>
              <span className="min-w-0">
                <NameText className={`break-words ${credited ? "text-fg-2" : ""}`}>{name}</NameText>
                <span className="block text-2xs text-fg-2">
                  {credited
                    ? t("credit-line-credited")
                    : t("credit-line-left", {
                        quantity: format.decimal(line.quantity),
                        unit,
                        price: format.amount(line.unitPrice, currency),
                      })}
                </span>
              </span>
            </>
          )}
        </Checkbox>
      </div>
      {!credited && (
        <div data-credit-column="quantity" className="w-32">
          <AriaTextField
            aria-label={t("credit-quantity-of", { line: name })}
            value={quantity}
            isInvalid={problem !== null}
            validationBehavior="aria"
            // What is typed for a line is meant to be credited.
            onChange={(text) => onChange({ quantity: text, chosen: true })}
            className="flex flex-col gap-1"
          >
            <Input dir="ltr" inputMode="decimal" className={`${inputClass} numeric h-8 text-end`} />
            <FieldError className="text-danger text-xs">{problem}</FieldError>
          </AriaTextField>
        </div>
      )}
      <span className="amount-column ms-auto w-28 pt-1.5">
        <NumericText className={chosen ? "" : "text-fg-3"}>
          {chosen && net !== "" ? format.amount(net, currency) : "—"}
        </NumericText>
      </span>
    </li>
  );
}
