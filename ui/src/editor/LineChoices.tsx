/** The parts of a line that typing in it does not change: lists, menu, removal. Each is many elements, and renders for itself. */

import { Trash2 } from "lucide-react";
import { type Dispatch, memo } from "react";
import { IconButton } from "../components/Button";
import { useLocalizer } from "../i18n/LocalizerProvider";
import { CodeSelect } from "./CodeSelect";
import { taxCategoryList, unitList } from "./codeLists";
import { LineMenu, type LineMenuProps } from "./details/LineMenu";
import type { EditorAction } from "./draftReducer";
import { fieldName } from "./fields";

interface LineChoiceProps {
  value: string;
  index: number;
  isInvalid: boolean;
  /** The id of the words about the mistakes of the line. */
  errorId: string;
  isDisabled: boolean;
  dispatch: Dispatch<EditorAction>;
}

export const UnitCell = memo(function UnitCell({ value, index, isInvalid, errorId, isDisabled, dispatch }: LineChoiceProps) {
  const localizer = useLocalizer();
  const path = `lines[${index}].unit`;
  return (
    <div role="gridcell" data-field={path} data-cell="unit" data-label={localizer.t("field-unit")} className="line-choice">
      <CodeSelect
        label={fieldName(path, localizer)}
        labelHidden
        value={value}
        list={unitList}
        onChange={(unit) => dispatch({ type: "fieldChanged", path, text: unit })}
        isDisabled={isDisabled}
        isInvalid={isInvalid}
        aria-describedby={isInvalid ? errorId : undefined}
      />
    </div>
  );
});

export const TaxCategoryCell = memo(function TaxCategoryCell(props: LineChoiceProps) {
  const { value, index, isInvalid, errorId, isDisabled, dispatch } = props;
  const localizer = useLocalizer();
  const path = `lines[${index}].taxCategory`;
  return (
    <div
      role="gridcell"
      data-field={path}
      data-cell="taxCategory"
      data-label={localizer.t("field-tax-category")}
      className="line-choice"
    >
      <CodeSelect
        label={fieldName(path, localizer)}
        labelHidden
        value={value}
        short={localizer.has(`tax-short-${value}`) ? localizer.t(`tax-short-${value}` as "tax-short-S") : value}
        list={taxCategoryList}
        onChange={(category) => dispatch({ type: "categoryChosen", index, category })}
        isDisabled={isDisabled}
        isInvalid={isInvalid}
        aria-describedby={isInvalid ? errorId : undefined}
      />
    </div>
  );
});

export interface LineActionsProps extends LineMenuProps {
  onRemove: (index: number) => void;
}

export const LineActions = memo(function LineActions({ onRemove, ...menu }: LineActionsProps) {
  const { t, format } = useLocalizer();
  const { index, isDisabled } = menu;
  return (
    <div role="gridcell" className="line-actions flex justify-end">
      <LineMenu {...menu} />
      <IconButton
        label={t("remove-line", { line: format.integer(index + 1) })}
        isDisabled={isDisabled}
        onPress={() => onRemove(index)}
        icon={<Trash2 size={14} aria-hidden="true" />}
      />
    </div>
  );
});
