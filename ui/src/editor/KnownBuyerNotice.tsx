/** Says calmly that a remembered buyer has the tax id that was typed, and offers it. */

import { useQuery } from "@tanstack/react-query";
import { Button } from "../components/Button";
import { Notice } from "../errors/Notice";
import { useLocalizer } from "../i18n/LocalizerProvider";
import { localizedText } from "../i18n/localizedText";
import type { BuyerContent, PartyView } from "../ipc/bindings";
import { knownPartyQuery } from "../parties/memoryQueries";
import { useWorkspace } from "../state/workspace";
import { useSettled } from "./useSettled";

/** A shorter tax id is still being typed. */
const LEAST_CHARACTERS = 6;

export function KnownBuyerNotice({ buyer, onParty }: { buyer: BuyerContent; onParty: (party: PartyView) => void }) {
  const { t, language } = useLocalizer();
  const { organization } = useWorkspace();
  const settled = useSettled(buyer);
  const known = useQuery({
    ...knownPartyQuery(organization.id, settled),
    enabled: settled.taxId.trim().length >= LEAST_CHARACTERS,
  }).data;
  if (!known || buyer.taxId !== settled.taxId || isSameName(buyer, known.buyer)) return null;
  const name = localizedText(known.buyer.name, language);
  return (
    <Notice
      severity="info"
      variant="inline"
      text={t("same-tax-id", { name })}
      buttons={
        <Button size="sm" onPress={() => onParty(known)}>
          {t("use-known-buyer")}
        </Button>
      }
    />
  );
}

/** Whether the names agree where both are given, so that there is nothing to offer. */
function isSameName(one: BuyerContent, other: BuyerContent): boolean {
  const pairs = [
    [one.name.en, other.name.en],
    [one.name.ar, other.name.ar],
  ] as const;
  const both = pairs.filter(([a, b]) => a.trim() !== "" && b.trim() !== "");
  return both.length > 0 && both.every(([a, b]) => compared(a) === compared(b));
}

function compared(text: string): string {
  return text.trim().toLowerCase();
}
