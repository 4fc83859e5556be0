/** The rarely used fields of a line, folded below it. */

import { type Dispatch, useCallback, useId } from "react";
import { useLocalizer } from "../../i18n/LocalizerProvider";
import type { LineContent } from "../../ipc/bindings";
import type { EditorAction } from "../draftReducer";
import { AllowancesCharges } from "./AllowancesCharges";
import { DetailDate, DetailText } from "./DetailField";
import { lineDetailsOf } from "./detailFields";
import { Fold } from "./Fold";
import { heldByLine } from "./heldTexts";

export interface LineMoreProps {
  line: LineContent;
  index: number;
  errors: number;
  isOpen: boolean;
  country: string;
  isDisabled: boolean;
  dispatch: Dispatch<EditorAction>;
  onOpenChange: (index: number, open: boolean) => void;
}

/** A row of the grid; none if there is nothing to show. */
export function LineMore({ line, index, errors, isOpen, country, isDisabled, dispatch, onOpenChange }: LineMoreProps) {
  const localizer = useLocalizer();
  const { t, format } = localizer;
  const id = useId();
  const onFieldChange = useCallback((path: string, text: string) => dispatch({ type: "fieldChanged", path, text }), [dispatch]);
  const details = lineDetailsOf(line);
  const held = heldByLine(details, localizer);
  if (!isOpen && held.length === 0) return null;
  const field = (name: "itemCode" | "buyerItemCode" | "orderLine" | "priceBase" | "exemptionReason" | "note") => ({
    path: `lines[${index}].details.${name}`,
    value: details[name],
    onFieldChange,
    isDisabled,
  });
  return (
    <div role="row" aria-rowindex={index + 2}>
      <div role="gridcell" className="line-more">
        <Fold
          label={t("more-line-number", { line: format.integer(index + 1) })}
          controls={id}
          held={held}
          errors={errors}
          isOpen={isOpen}
          onOpenChange={(open) => onOpenChange(index, open)}
        />
        {isOpen && (
          <div
            id={id}
            role="group"
            aria-label={t("more-line-number", { line: format.integer(index + 1) })}
            className="flex flex-col gap-3 px-3 pt-1 pb-3"
          >
            <div className="detail-grid">
              <DetailText {...field("itemCode")} numeric />
              <DetailText {...field("buyerItemCode")} numeric />
              <DetailText {...field("orderLine")} numeric />
              <DetailText {...field("priceBase")} numeric hint={details.priceBase === "" ? t("price-base-hint") : undefined} />
              <DetailDate
                path={`lines[${index}].details.period.start`}
                value={details.period.start}
                onFieldChange={onFieldChange}
                isDisabled={isDisabled}
              />
              <DetailDate
                path={`lines[${index}].details.period.end`}
                value={details.period.end}
                onFieldChange={onFieldChange}
                isDisabled={isDisabled}
              />
              {(line.taxCategory !== "S" || details.exemptionReason !== "") && (
                <DetailText {...field("exemptionReason")} className="detail-wide" />
              )}
              <DetailText {...field("note")} className="detail-row" />
            </div>
            <div className="flex flex-col gap-2">
              <h3 className="font-semibold text-fg-2 text-xs">{t("group-allowances")}</h3>
              <AllowancesCharges
                items={details.allowancesCharges}
                line={index}
                country={country}
                standardRate={null}
                isDisabled={isDisabled}
                dispatch={dispatch}
              />
            </div>
          </div>
        )}
      </div>
    </div>
  );
}
