/** The cell of the reason why no tax is charged: the codes of the line's category, with words. */

import { useLocalizer } from "../../i18n/LocalizerProvider";
import type { LineContent } from "../../ipc/bindings";
import { CodeSelect } from "../CodeSelect";
import { noneChoice } from "../codeLists";
import { fieldName } from "../fields";
import { exemptionList } from "./reasonCodes";

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
      <CodeSelect
        label={fieldName(field, localizer)}
        labelHidden
        value={code}
        short={code === "" ? <span className="text-fg-3">{t("choose")}</span> : <bdi dir="ltr">{code.replace("VATEX-", "")}</bdi>}
        list={exemptionList(line.taxCategory, country)}
        none={noneChoice(localizer)}
        onChange={onChange}
        isDisabled={isDisabled}
        isInvalid={isInvalid}
        aria-describedby={isInvalid ? errorId : undefined}
      />
    </div>
  );
}
