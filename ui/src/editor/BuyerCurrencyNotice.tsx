/** Says that a document has kept its currency for a remembered buyer of another one, and offers that one. */

import { Button } from "../components/Button";
import { Notice } from "../errors/Notice";
import { useLocalizer } from "../i18n/LocalizerProvider";
import { localizedText } from "../i18n/localizedText";
import type { PartyView } from "../ipc/bindings";
import { focusField } from "./fields";

export interface BuyerCurrencyNoticeProps {
  party: PartyView;
  /** Of the document. */
  currency: string;
  onCurrency: (currency: string) => void;
}

export function BuyerCurrencyNotice({ party, currency, onCurrency }: BuyerCurrencyNoticeProps) {
  const { t, language } = useLocalizer();
  const change = () => {
    onCurrency(party.currency);
    // The button goes with its words.
    requestAnimationFrame(() => focusField("currency"));
  };
  return (
    <Notice
      severity="info"
      variant="inline"
      text={t("buyer-currency-kept", { name: localizedText(party.buyer.name, language), other: party.currency, own: currency })}
      buttons={
        <Button size="sm" onPress={change}>
          {t("buyer-currency-change", { currency: party.currency })}
        </Button>
      }
    />
  );
}
