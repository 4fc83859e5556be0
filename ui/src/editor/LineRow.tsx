/** One line of the grid, with its errors below. */

import { CircleAlert } from "lucide-react";
import { memo, useId } from "react";
import { Input } from "react-aria-components";
import { NumericText } from "../components/BidiText";
import { useLocalizer } from "../i18n/LocalizerProvider";
import { plainText } from "../i18n/localizer";
import type { ItemView, Language } from "../ipc/bindings";
import { DescriptionCell } from "./DescriptionCell";
import { ExemptionCell } from "./details/ExemptionCell";
import { LineMore, type LineMoreProps } from "./details/LineMore";
import { type FieldError, fieldName } from "./fields";
import { hasExemption } from "./invoiceLines";
import { LineActions, type LineActionsProps, TaxCategoryCell, UnitCell } from "./LineChoices";
import { getText } from "./paths";

export interface LineRowProps extends LineActionsProps, Omit<LineMoreProps, "errors" | "isOpen" | "onOpenChange"> {
  net: string;
  currency: string;
  fieldErrors: readonly FieldError[] | undefined;
  twoLanguages: boolean;
  exempt: boolean;
  moreIsOpen: boolean;
  onItem: (index: number, item: ItemView) => void;
  onItemExpected: (item: ItemView) => void;
  /** Enter in the description, without an item that it means. */
  onNextRow: (index: number) => void;
}

export const LineRow = memo(function LineRow(props: LineRowProps) {
  const {
    line,
    index,
    net,
    currency,
    fieldErrors,
    twoLanguages,
    exempt,
    isDisabled,
    dispatch,
    onRemove,
    onItem,
    onItemExpected,
    onNextRow,
    country,
    moreIsOpen,
    onMore,
    onPriceWithTax,
    onExplain,
  } = props;
  const localizer = useLocalizer();
  const { t, format, language } = localizer;
  const errorId = useId();
  const other: Language = language === "ar" ? "en" : "ar";
  const path = `lines[${index}]`;
  const invalid = new Set(fieldErrors?.map(({ field }) => field));
  const inDetails = fieldErrors?.filter(({ field }) => field?.includes(".details.")).length ?? 0;
  const cell = (name: string, label: string, options: { disabled?: boolean } = {}) => {
    const field = `${path}.${name}`;
    return (
      <div role="gridcell" data-field={field} data-label={label} className="line-amount min-w-0">
        <Input
          data-cell={name}
          aria-label={plainText(fieldName(field, localizer))}
          aria-invalid={invalid.has(field) || undefined}
          aria-describedby={invalid.has(field) ? errorId : undefined}
          dir="ltr"
          inputMode="decimal"
          disabled={isDisabled || options.disabled}
          autoComplete="off"
          value={getText({ lines: [line] }, `lines[0].${name}`)}
          onChange={(event) => dispatch({ type: "fieldChanged", path: field, text: event.target.value })}
          className={`h-8 w-full min-w-0 rounded-sm border bg-transparent px-1.5 disabled:bg-sunken disabled:text-fg-2 numeric text-end ${
            invalid.has(field)
              ? "border-danger bg-danger-soft"
              : "border-line data-[hovered]:border-line-strong focus:border-control"
          }`}
        />
      </div>
    );
  };
  const choice = { index, errorId, isDisabled, dispatch };
  return (
    <div role="rowgroup" data-row={index} className="line-row border-line border-b last:border-b-0">
      <div role="row" aria-rowindex={index + 2} className="line-columns min-h-10 px-1">
        <div role="rowheader" className="line-number numeric text-center text-fg-3 text-xs">
          {format.integer(index + 1)}
        </div>
        {[language, ...(twoLanguages ? [other] : [])].map((each) => (
          <DescriptionCell
            key={each}
            label={t(twoLanguages ? `field-description-${each}` : "field-description")}
            language={each}
            index={index}
            text={line.description[each]}
            isInvalid={invalid.has(`${path}.description.${each}`)}
            errorId={errorId}
            isDisabled={isDisabled}
            dispatch={dispatch}
            onItem={onItem}
            onItemExpected={onItemExpected}
            onNextRow={onNextRow}
          />
        ))}
        {cell("quantity", t("field-quantity"))}
        <UnitCell value={line.unit} isInvalid={invalid.has(`${path}.unit`)} {...choice} />
        {cell("unitPrice", t("field-unit-price"))}
        <TaxCategoryCell value={line.taxCategory} isInvalid={invalid.has(`${path}.taxCategory`)} {...choice} />
        {cell("taxRate", t("field-tax-rate"), { disabled: line.taxCategory === "O" })}
        {exempt &&
          (hasExemption(line) ? (
            <ExemptionCell
              line={line}
              index={index}
              country={country}
              isInvalid={invalid.has(`${path}.exemptionCode`)}
              errorId={errorId}
              isDisabled={isDisabled}
              onChange={(code) => dispatch({ type: "fieldChanged", path: `${path}.exemptionCode`, text: code })}
            />
          ) : (
            <div role="gridcell" aria-label={t("empty-value")} />
          ))}
        <div role="gridcell" data-label={t("net")} className="line-net amount-column truncate px-1">
          <NumericText>{net === "" ? "—" : format.amount(net, currency)}</NumericText>
        </div>
        <LineActions
          index={index}
          isDisabled={isDisabled}
          onMore={onMore}
          onPriceWithTax={onPriceWithTax}
          onExplain={onExplain}
          onRemove={onRemove}
        />
      </div>
      {fieldErrors && fieldErrors.length > inDetails && (
        <div role="row" aria-rowindex={index + 2}>
          <div role="gridcell" id={errorId} className="line-errors flex flex-col gap-0.5 pb-2 text-danger text-xs">
            {fieldErrors
              .filter(({ field }) => !field?.includes(".details."))
              .map(({ field, message }) => (
                <p key={`${field} ${message}`} className="flex items-start gap-1">
                  <CircleAlert size={13} aria-hidden="true" className="mt-px shrink-0" />
                  <span>
                    {fieldName((field ?? "").replace(/^lines\[\d+\]/, "lines"), localizer)}
                    {": "}
                    {message}
                  </span>
                </p>
              ))}
          </div>
        </div>
      )}
      <LineMore
        line={line}
        index={index}
        errors={inDetails}
        isOpen={moreIsOpen}
        country={country}
        isDisabled={isDisabled}
        dispatch={dispatch}
        onOpenChange={onMore}
      />
    </div>
  );
});
