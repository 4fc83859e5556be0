/** The buyer's name in one language, with remembered buyers to choose from. */

import { useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { NameText, NumericText } from "../components/BidiText";
import { TextField } from "../components/Field";
import { useSuggestions } from "../components/useSuggestions";
import { useLocalizer } from "../i18n/LocalizerProvider";
import { localizedText } from "../i18n/localizedText";
import type { Language, PartyView } from "../ipc/bindings";
import { partiesQuery } from "../parties/memoryQueries";
import { usePartyForgetting } from "../parties/useForgetting";
import { useWorkspace } from "../state/workspace";
import { FieldAnchor } from "./HeaderFields";

export interface BuyerNameFieldProps {
  language: Language;
  text: string;
  onChange: (text: string) => void;
  onParty: (party: PartyView) => void;
  isDisabled: boolean;
}

export function BuyerNameField({ language, text, onChange, onParty, isDisabled }: BuyerNameFieldProps) {
  const { t, language: windowLanguage } = useLocalizer();
  const client = useQueryClient();
  const { organization } = useWorkspace();
  const input = useRef<HTMLInputElement>(null);
  const forgetting = usePartyForgetting();
  const path = `buyer.name.${language}`;
  const { inputProps, onInput, list } = useSuggestions<PartyView>({
    input,
    text,
    label: t("remembered-buyers"),
    search: (letters) => client.fetchQuery(partiesQuery(organization.id, letters)),
    toSuggestion: ({ key, buyer }) => ({
      id: key,
      label: (
        <>
          <NameText>{localizedText(buyer.name, windowLanguage)}</NameText>
          {buyer.city !== "" && (
            <span className="block text-fg-2 text-xs">
              <NameText>{buyer.city}</NameText>
            </span>
          )}
        </>
      ),
      detail: buyer.taxId === "" ? undefined : <NumericText>{buyer.taxId}</NumericText>,
    }),
    onChoose: onParty,
    forgetting,
    opensOnArrow: true,
    isDisabled,
  });
  return (
    <FieldAnchor field={path}>
      <TextField
        label={t(`field-buyer-name-${language}`)}
        name={path}
        value={text}
        onChange={(typed) => {
          onChange(typed);
          onInput(typed);
        }}
        isDisabled={isDisabled}
        dir={language === "ar" ? "rtl" : "ltr"}
        inputRef={input}
        inputProps={inputProps}
      />
      {list}
    </FieldAnchor>
  );
}
