/** The fields of one payment instruction (BG-16): the transfer, the card, the direct debit. */

import { useLocalizer } from "../../i18n/LocalizerProvider";
import type { CardContent, MandateContent, PaymentContent } from "../../ipc/bindings";
import { noneChoice } from "../codeLists";
import { DetailCode, DetailText } from "./DetailField";
import { isMistypedIban } from "./iban";
import { paymentMeansList } from "./reasonCodes";

interface PaymentFieldsProps<Content> {
  path: string;
  value: Content;
  isDisabled: boolean;
  onFieldChange: (path: string, text: string) => void;
}

export function TransferFields({ path, value, ...common }: PaymentFieldsProps<PaymentContent>) {
  const localizer = useLocalizer();
  return (
    <>
      <DetailCode {...common} path={`${path}.code`} value={value.code} list={paymentMeansList} none={noneChoice(localizer)} />
      <IbanField {...common} path={`${path}.account`} value={value.account} />
      <DetailText {...common} path={`${path}.accountName`} value={value.accountName} />
      <DetailText {...common} path={`${path}.provider`} value={value.provider} numeric />
      <DetailText {...common} path={`${path}.remittance`} value={value.remittance} />
      <DetailText {...common} path={`${path}.name`} value={value.name} />
    </>
  );
}

export function CardFields({ path, value, ...common }: PaymentFieldsProps<CardContent>) {
  const { t } = useLocalizer();
  return (
    <>
      <DetailText {...common} path={`${path}.number`} value={value.number} numeric hint={t("card-hint")} />
      <DetailText {...common} path={`${path}.network`} value={value.network} />
      <DetailText {...common} path={`${path}.holder`} value={value.holder} />
    </>
  );
}

export function MandateFields({ path, value, ...common }: PaymentFieldsProps<MandateContent>) {
  return (
    <>
      <DetailText {...common} path={`${path}.reference`} value={value.reference} numeric />
      <IbanField {...common} path={`${path}.payerAccount`} value={value.payerAccount} />
    </>
  );
}

function IbanField(props: PaymentFieldsProps<string>) {
  const { t } = useLocalizer();
  return (
    <DetailText {...props} numeric className="detail-wide" hint={isMistypedIban(props.value) ? t("iban-mistyped") : undefined} />
  );
}
