/** Allowances and charges of the document or of a line: an amount, or a percentage of a base, with its reason. */

import { Minus, Plus, Trash2 } from "lucide-react";
import { type Dispatch, useRef } from "react";
import { announce } from "../../components/announce";
import { Button, IconButton } from "../../components/Button";
import { useLocalizer } from "../../i18n/LocalizerProvider";
import type { AllowanceChargeContent, AllowanceChargeKind } from "../../ipc/bindings";
import { noneChoice, taxCategoryList } from "../codeLists";
import type { EditorAction } from "../draftReducer";
import { focusField } from "../fields";
import { hasExemption, withTaxCategory } from "../invoiceLines";
import { DetailCode, DetailText } from "./DetailField";
import { newAllowanceCharge, withAllowances } from "./detailFields";
import { exemptionList, reasonList } from "./reasonCodes";

export interface AllowancesChargesProps {
  items: readonly AllowanceChargeContent[];
  /** The index of the line; `null`: they are the document's. */
  line: number | null;
  country: string;
  standardRate: string | null;
  isDisabled: boolean;
  dispatch: Dispatch<EditorAction>;
}

export function AllowancesCharges({ items, line, dispatch, isDisabled, ...tax }: AllowancesChargesProps) {
  const { t, format } = useLocalizer();
  const list = useRef<HTMLDivElement>(null);
  const owner = line === null ? "details" : `lines[${line}].details`;
  const change = (edit: (items: AllowanceChargeContent[]) => AllowanceChargeContent[]) =>
    dispatch({ type: "filled", fill: (content) => withAllowances(content, line, edit) });
  const add = (kind: AllowanceChargeKind) => {
    dispatch({
      type: "filled",
      fill: (content) =>
        withAllowances(content, line, (before) => [...before, newAllowanceCharge(kind, content.lines[0], line === null)]),
    });
    // It is rendered after this event.
    requestAnimationFrame(() => focusField(`${owner}.allowancesCharges[${items.length}].amount`));
  };
  const remove = (index: number) => {
    change((before) => before.toSpliced(index, 1));
    announce(t("item-removed"));
    list.current?.querySelector<HTMLElement>("[data-add] button")?.focus();
  };
  return (
    <div ref={list} className="flex flex-col gap-3">
      {items.map((item, index) => {
        const kind = t(`part-${item.kind}`);
        return (
          // Items have no id; each of their texts is controlled.
          // oxlint-disable-next-line react/no-array-index-key
          <div key={index} role="group" aria-label={`${kind} ${format.integer(index + 1)}`} className="flex flex-col gap-1">
            <div className="flex items-center gap-2 text-fg-2">
              {item.kind === "charge" ? <Plus size={13} aria-hidden="true" /> : <Minus size={13} aria-hidden="true" />}
              <p className="flex-1 font-semibold text-xs">
                {kind} {format.integer(index + 1)}
              </p>
              <IconButton
                label={t("remove-item", { kind, item: format.integer(index + 1) })}
                isDisabled={isDisabled}
                onPress={() => remove(index)}
                icon={<Trash2 size={14} aria-hidden="true" />}
              />
            </div>
            <Item
              item={item}
              path={`${owner}.allowancesCharges[${index}]`}
              ofDocument={line === null}
              onFieldChange={(path, text) => dispatch({ type: "fieldChanged", path, text })}
              onTaxCategory={(category) =>
                change((before) =>
                  before.map((each, at) => (at === index ? withTaxCategory(each, category, tax.standardRate) : each)),
                )
              }
              country={tax.country}
              isDisabled={isDisabled}
            />
          </div>
        );
      })}
      <div data-add="" data-field={`${owner}.allowancesCharges`} className="flex flex-wrap gap-2">
        <Button size="sm" isDisabled={isDisabled} onPress={() => add("allowance")} icon={<Minus size={13} aria-hidden="true" />}>
          {t("add-allowance")}
        </Button>
        <Button size="sm" isDisabled={isDisabled} onPress={() => add("charge")} icon={<Plus size={13} aria-hidden="true" />}>
          {t("add-charge")}
        </Button>
      </div>
    </div>
  );
}

interface ItemProps {
  item: AllowanceChargeContent;
  path: string;
  ofDocument: boolean;
  country: string;
  onFieldChange: (path: string, text: string) => void;
  onTaxCategory: (category: string) => void;
  isDisabled: boolean;
}

function Item({ item, path, ofDocument, country, onFieldChange, onTaxCategory, isDisabled }: ItemProps) {
  const localizer = useLocalizer();
  const { t } = localizer;
  const field = (name: Exclude<keyof AllowanceChargeContent, "kind">) => ({
    path: `${path}.${name}`,
    value: item[name],
    onFieldChange,
    isDisabled,
  });
  const byPercent = item.percent !== "";
  return (
    <div className="detail-grid">
      <DetailText {...field("amount")} numeric hint={byPercent && item.amount === "" ? t("amount-computed") : undefined} />
      <DetailText {...field("percent")} numeric />
      <DetailText
        {...field("base")}
        numeric
        hint={byPercent && item.base === "" ? t(ofDocument ? "base-of-document" : "base-of-line") : undefined}
      />
      <DetailCode {...field("reasonCode")} list={reasonList(item.kind)} none={noneChoice(localizer)} />
      <DetailText {...field("reason")} className="detail-wide" />
      {ofDocument && (
        <>
          <DetailCode {...field("taxCategory")} list={taxCategoryList} onFieldChange={(_, category) => onTaxCategory(category)} />
          <DetailText {...field("taxRate")} numeric isDisabled={isDisabled || item.taxCategory === "O"} />
          {hasExemption(item) && (
            <DetailCode
              {...field("exemptionCode")}
              className="detail-wide"
              list={exemptionList(item.taxCategory, country)}
              none={noneChoice(localizer)}
            />
          )}
        </>
      )}
    </div>
  );
}
