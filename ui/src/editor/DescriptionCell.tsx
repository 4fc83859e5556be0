/** The description of a line, with remembered items to choose from. */

import { useQueryClient } from "@tanstack/react-query";
import { type Dispatch, useRef } from "react";
import { Input } from "react-aria-components";
import { NameText, NumericText } from "../components/BidiText";
import { useSuggestions } from "../components/useSuggestions";
import { useLocalizer } from "../i18n/LocalizerProvider";
import { localizedText } from "../i18n/localizedText";
import { plainText } from "../i18n/localizer";
import type { ItemView, Language } from "../ipc/bindings";
import { itemsQuery } from "../parties/memoryQueries";
import { useItemForgetting } from "../parties/useForgetting";
import { useWorkspace } from "../state/workspace";
import type { EditorAction } from "./draftReducer";
import { fieldName } from "./fields";

export interface DescriptionCellProps {
  language: Language;
  /** Shown above it where the line is a block. */
  label: string;
  index: number;
  text: string;
  isInvalid: boolean;
  errorId: string;
  isDisabled: boolean;
  dispatch: Dispatch<EditorAction>;
  onItem: (index: number, item: ItemView) => void;
  onItemExpected: (item: ItemView) => void;
  onNextRow: (index: number) => void;
}

export function DescriptionCell(props: DescriptionCellProps) {
  const { language, label, index, text, isInvalid, errorId, isDisabled, dispatch, onItem, onItemExpected, onNextRow } = props;
  const localizer = useLocalizer();
  const { t, format, language: windowLanguage } = localizer;
  const client = useQueryClient();
  const { organization } = useWorkspace();
  const input = useRef<HTMLInputElement>(null);
  const forgetting = useItemForgetting();
  const field = `lines[${index}].description.${language}`;
  const { inputProps, onInput, list } = useSuggestions<ItemView>({
    input,
    text,
    label: t("remembered-items"),
    search: async (letters) => {
      const found = await client.fetchQuery(itemsQuery(organization.id, letters));
      if (found[0]) onItemExpected(found[0]);
      return found;
    },
    toSuggestion: (item) => ({
      id: item.key,
      label: <NameText>{localizedText(item.description, windowLanguage)}</NameText>,
      detail:
        item.price.unitPrice === "" ? undefined : (
          <NumericText>{format.money(item.price.unitPrice, item.price.currency)}</NumericText>
        ),
    }),
    onChoose: (item) => onItem(index, item),
    forgetting,
    onEnter: () => onNextRow(index),
    isDisabled,
  });
  return (
    <div role="gridcell" data-field={field} data-label={label} className="line-description min-w-0">
      <Input
        {...inputProps}
        ref={input}
        data-cell={`description.${language}`}
        aria-label={plainText(fieldName(field, localizer))}
        aria-invalid={isInvalid || undefined}
        aria-describedby={isInvalid ? errorId : undefined}
        dir={language === "ar" ? "rtl" : "ltr"}
        disabled={isDisabled}
        value={text}
        onChange={(event) => {
          dispatch({ type: "fieldChanged", path: field, text: event.target.value });
          onInput(event.target.value);
        }}
        className={`h-8 w-full min-w-0 rounded-sm border bg-transparent px-1.5 disabled:bg-sunken disabled:text-fg-2 ${
          isInvalid ? "border-danger bg-danger-soft" : "border-line data-[hovered]:border-line-strong focus:border-control"
        }`}
      />
      {list}
    </div>
  );
}
