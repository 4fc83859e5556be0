/** The rarely used fields of a line, folded below it. */

import { type Dispatch, useCallback, useId, useState } from "react";
import { useLocalizer } from "../../i18n/LocalizerProvider";
import type { ClassificationContent, ItemAttributeContent, LineContent, LineDetails } from "../../ipc/bindings";
import { noneChoice, unitList } from "../codeLists";
import type { EditorAction } from "../draftReducer";
import { AllowancesCharges } from "./AllowancesCharges";
import { DetailCode, DetailDate, DetailText } from "./DetailField";
import { lineDetailsOf } from "./detailFields";
import { EntryList } from "./EntryList";
import { Fold } from "./Fold";
import { factTexts, lineFacts } from "./facts";
import { CountryField, IdentifierFields, TextFields } from "./PartyFields";

export interface LineMoreProps {
  line: LineContent;
  index: number;
  errors: number;
  /** Whether the user has opened it. A mistake opens it as well. */
  isOpen: boolean;
  country: string;
  isDisabled: boolean;
  dispatch: Dispatch<EditorAction>;
  onOpenChange: (index: number, open: boolean) => void;
}

/** The details that are one text each. */
type TextName = {
  [Name in keyof LineDetails]: LineDetails[Name] extends string ? Name : never;
}[keyof LineDetails];

/** A row of the grid; none if there is nothing to show. */
export function LineMore({ line, index, errors, country, isDisabled, dispatch, ...fold }: LineMoreProps) {
  const localizer = useLocalizer();
  const { t, format } = localizer;
  const id = useId();
  // The fields stay when the mistake is corrected: somebody is typing in one of them.
  const [hadErrors, setHadErrors] = useState(false);
  if (errors > 0 && !hadErrors) setHadErrors(true);
  const isOpen = fold.isOpen || hadErrors;
  const onOpenChange = (open: boolean) => {
    if (!open) setHadErrors(false);
    fold.onOpenChange(index, open);
  };
  const onFieldChange = useCallback((path: string, text: string) => dispatch({ type: "fieldChanged", path, text }), [dispatch]);
  const details = lineDetailsOf(line);
  const held = factTexts(lineFacts(details, localizer));
  if (!isOpen && held.length === 0) return null;
  const common = { onFieldChange, isDisabled };
  const path = `lines[${index}].details`;
  const field = (name: TextName) => ({ ...common, path: `${path}.${name}`, value: details[name] });
  return (
    <div role="row" aria-rowindex={index + 2}>
      <div role="gridcell" className="line-more">
        <Fold
          label={t("more-line-number", { line: format.integer(index + 1) })}
          controls={id}
          held={held}
          errors={errors}
          isOpen={isOpen}
          onOpenChange={onOpenChange}
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
              <DetailDate {...common} path={`${path}.period.start`} value={details.period.start} />
              <DetailDate {...common} path={`${path}.period.end`} value={details.period.end} />
              {(line.taxCategory !== "S" || details.exemptionReason !== "") && (
                <DetailText {...field("exemptionReason")} className="detail-wide" />
              )}
              <DetailText {...field("note")} className="detail-row" />
              <DetailCode {...field("priceBaseUnit")} list={unitList} none={noneChoice(localizer)} />
              <DetailText {...field("grossPrice")} numeric />
              <DetailText {...field("priceDiscount")} numeric />
              <TextFields {...common} path={`${path}.itemDescription`} value={details.itemDescription} />
              <IdentifierFields
                {...common}
                path={`${path}.standardItemCode`}
                value={details.standardItemCode}
                hint={t("gtin-hint")}
              />
              <CountryField {...field("origin")} />
              <IdentifierFields {...common} path={`${path}.object`} value={details.object} hint={t("object-scheme-hint")} />
              <DetailText {...field("accounting")} />
            </div>
            <EntryList<ClassificationContent>
              path={`${path}.classifications`}
              entries={details.classifications}
              empty={{ list: "", version: "", code: "" }}
              addLabel={t("add-classification")}
              firstField="code"
              namedBy="code"
              isDisabled={isDisabled}
              dispatch={dispatch}
            >
              {(entry, at) => (
                <>
                  <DetailText {...common} path={`${at}.code`} value={entry.code} numeric />
                  <DetailText {...common} path={`${at}.list`} value={entry.list} numeric hint={t("class-list-hint")} />
                  <DetailText {...common} path={`${at}.version`} value={entry.version} numeric />
                </>
              )}
            </EntryList>
            <EntryList<ItemAttributeContent>
              path={`${path}.attributes`}
              entries={details.attributes}
              empty={{ name: "", value: "" }}
              addLabel={t("add-attribute")}
              firstField="name"
              namedBy="name"
              isDisabled={isDisabled}
              dispatch={dispatch}
            >
              {(entry, at) => (
                <>
                  <DetailText {...common} path={`${at}.name`} value={entry.name} />
                  <DetailText {...common} path={`${at}.value`} value={entry.value} />
                </>
              )}
            </EntryList>
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
