/** Asks whether a buyer is right that another organization alone has, or that is the organization itself (decision 0183). */

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "../components/Button";
import { Notice } from "../errors/Notice";
import { useLocalizer } from "../i18n/LocalizerProvider";
import { localizedText } from "../i18n/localizedText";
import type { BuyerContent } from "../ipc/bindings";
import { buyerDoubtQuery, knownPartyQuery } from "../parties/memoryQueries";
import { useWorkspace } from "../state/workspace";
import { requestWindow } from "../windows/requestedWindow";
import { focusField } from "./fields";

export interface BuyerDoubtNoticeProps {
  buyer: BuyerContent;
  /** As it was when one of its fields was left last. */
  typed: BuyerContent;
}

export function BuyerDoubtNotice({ buyer, typed }: BuyerDoubtNoticeProps) {
  const { t, language } = useLocalizer();
  const { organization, session } = useWorkspace();
  // The buyer that somebody has said to be right.
  const [agreed, setAgreed] = useState<BuyerContent | null>(null);
  const isNamed = [typed.taxId, typed.name.en, typed.name.ar].some((text) => text.trim() !== "");
  const doubt = useQuery({ ...buyerDoubtQuery(organization.id, typed), enabled: isNamed }).data;
  const isElsewhere = doubt?.kind === "knownElsewhere";
  // This computer may have only a part of the organization's own buyers: the service is asked for this one before anybody is.
  const known = useQuery({ ...knownPartyQuery(organization.id, typed), enabled: isElsewhere });
  // A buyer that was agreed to by its name is still that one once its tax id is typed.
  const compared = isElsewhere && agreed?.taxId === "" ? { ...typed, taxId: "" } : typed;
  if (!doubt || !isSameBuyer(buyer, typed) || (agreed && isSameBuyer(agreed, compared))) return null;
  const onAgree = () => {
    setAgreed(typed);
    // The button goes with its words.
    requestAnimationFrame(() => focusField("buyer.taxId"));
  };
  const agree = (
    <Button size="sm" variant="quiet" onPress={onAgree}>
      {t("buyer-doubt-agree")}
    </Button>
  );
  if (doubt.kind === "ownTaxId") {
    const text = t("buyer-is-own", { own: organization.name });
    return <Notice severity="warning" variant="inline" text={text} buttons={agree} />;
  }
  const other = session.organizations.find(({ id }) => id === doubt.organization);
  if (!other || !known.isSuccess || known.data) return null;
  const name = localizedText(typed.name, language) || typed.taxId;
  return (
    <Notice
      severity="warning"
      variant="inline"
      text={t("buyer-known-elsewhere", { buyer: name, other: other.name, own: organization.name })}
      buttons={
        <>
          <Button size="sm" onPress={() => requestWindow(other.id)}>
            {t("open-in-new-window", { organization: other.name })}
          </Button>
          {agree}
        </>
      }
    />
  );
}

/** Whether two buyers have the same tax id, or the same names if neither has one. */
function isSameBuyer(one: BuyerContent, other: BuyerContent): boolean {
  if (one.taxId !== "" || other.taxId !== "") return one.taxId === other.taxId;
  return one.name.en === other.name.en && one.name.ar === other.name.ar;
}
