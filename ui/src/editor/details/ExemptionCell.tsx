/** The cell of the reason why no tax is charged: the codes of the line's category, with words. */

import { Select } from "../../components/Select";
import { useLocalizer } from "../../i18n/LocalizerProvider";
import type { LineContent } from "../../ipc/bindings";
import { fieldName } from "../fields";
import { exemptionChoices } from "./reasonCodes";

export interface ExemptionCellProps {
  line: LineContent;
  index: number;
  country: string;
  isInvalid: boolean;
  /** The id of the words about the mistakes of the line. */
  errorId: string;
  isDisabled: boolean;
  onChange: (code: string) => void;
}

export function ExemptionCell({ line, index, country, isInvalid, errorId, isDisabled, onChange }: ExemptionCellProps) {
  const localizer = useLocalizer();
  const { t } = localizer;
  const field = `lines[${index}].exemptionCode`;
  const { exemptionCode: code } = line;
  return (
    <div
      role="gridcell"
      data-field={field}
      data-cell="exemptionCode"
      data-label={t("field-exemption")}
      className="line-choice min-w-0"
    >
      <Select
        label={fieldName(field, localizer)}
        labelHidden
        value={code}
        short={code === "" ? <span className="text-fg-3">{t("choose")}</span> : <bdi dir="ltr">{code.replace("VATEX-", "")}</bdi>}
        choices={exemptionChoices(line.taxCategory, country, code, localizer)}
        onChange={onChange}
        isDisabled={isDisabled}
        isInvalid={isInvalid}
        aria-describedby={isInvalid ? errorId : undefined}
      />
    </div>
  );
}
