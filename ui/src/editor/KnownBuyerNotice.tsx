/**
 * Says calmly that the buyer as it was typed is remembered otherwise: under another name, with another tax id, or without one. It offers the
 * buyer as it is remembered, and to keep the new details, without which the document would make a second buyer (decision 0188).
 */

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { announce } from "../components/announce";
import { Button } from "../components/Button";
import { keepFocus } from "../components/keepFocus";
import { ErrorNotice } from "../errors/ErrorNotice";
import { Notice } from "../errors/Notice";
import { useLocalizer } from "../i18n/LocalizerProvider";
import { localizedText } from "../i18n/localizedText";
import type { BuyerContent, PartyView } from "../ipc/bindings";
import { commands } from "../ipc/call";
import { useCommandCalls } from "../ipc/useCommandCalls";
import { knownPartyQuery } from "../parties/memoryQueries";
import { usePermissions } from "../queries/permissionsQuery";
import { withBinding } from "../state/withBinding";
import { useWorkspace } from "../state/workspace";
import { invalidateChanged } from "../windows/useChangedData";
import { nearestInput } from "./fields";
import { useSettled } from "./useSettled";

/** A shorter tax id is still being typed. */
const LEAST_CHARACTERS = 6;

export interface KnownBuyerNoticeProps {
  buyer: BuyerContent;
  /** The remembered buyer that was chosen or kept last; `null` if none was. */
  chosen: PartyView | null;
  onParty: (party: PartyView) => void;
  /** The buyer is remembered as it was typed. */
  onKept: (party: PartyView) => void;
}

export function KnownBuyerNotice({ buyer, chosen, onParty, onKept }: KnownBuyerNoticeProps) {
  const { t, language } = useLocalizer();
  const { organization, session } = useWorkspace();
  const { id } = organization;
  // What is kept is not sent later.
  const canKeep = usePermissions()?.updateParties === true && session.connectivity.state === "online";
  const settled = useSettled(buyer);
  const hasTaxId = settled.taxId.trim().length >= LEAST_CHARACTERS;
  const known = useQuery({ ...knownPartyQuery(id, settled), enabled: hasTaxId }).data;
  // Without a tax id the same query is by the name.
  const byTaxId = hasTaxId ? known : undefined;
  // Nobody is known by the tax id: who has the name may have another one.
  const hasNewTaxId = canKeep && hasTaxId && byTaxId === null && hasName(settled);
  const hasNewName = canKeep && chosen !== null && isRenamed(settled, chosen.buyer);
  // As it is remembered now, and not as when it was chosen: somebody may have changed it since.
  const former = useQuery({ ...knownPartyQuery(id, chosen?.buyer ?? settled), enabled: hasNewName }).data;
  const renamed = hasNewName && former && former.key === chosen?.key ? former : null;
  const byName = useQuery({
    ...knownPartyQuery(id, { ...settled, taxId: "" }),
    enabled: hasNewTaxId || hasNewName,
  }).data;
  // What is being typed is another buyer than that which was looked up.
  const isSettled = isSameBuyer(buyer, settled);
  const sameTaxId = byTaxId && buyer.taxId === settled.taxId && !isSameName(buyer, byTaxId.buyer) ? byTaxId : null;
  const sameName = isSettled && hasNewTaxId && byName ? byName : null;
  const party = sameTaxId ?? sameName ?? (isSettled && byName === null ? renamed : null);
  if (!party) return null;
  const name = localizedText(party.buyer.name, language);
  const { taxId } = party.buyer;
  const text = sameTaxId
    ? t("same-tax-id", { name })
    : renamed
      ? t("known-other-name", { name })
      : taxId === ""
        ? t("known-without-tax-id", { name })
        : t("known-other-tax-id", { name, taxId });
  // What failed for one buyer is not said of another.
  return <Offer key={party.key} text={text} buyer={buyer} party={party} canKeep={canKeep} onParty={onParty} onKept={onKept} />;
}

interface OfferProps extends Omit<KnownBuyerNoticeProps, "chosen"> {
  text: string;
  /** The buyer as it is remembered. */
  party: PartyView;
  canKeep: boolean;
}

function Offer({ text, buyer, party, canKeep, onParty, onKept }: OfferProps) {
  const { t, language } = useLocalizer();
  const client = useQueryClient();
  const { id } = useWorkspace().organization;
  const { run, busy, error } = useCommandCalls();
  const name = localizedText(party.buyer.name, language);
  const keep = async () => {
    const { key, stamp } = party;
    const change = { key, stamp, buyer, currency: "", paymentTerms: "", dueTerms: null };
    const kept = await run(async () => {
      const updated = await withBinding(id, (binding) => commands.updateParty(binding, change));
      client.setQueryData(knownPartyQuery(id, buyer).queryKey, updated);
      onKept(updated);
    });
    // Also after a conflict: the offer is then made of what is remembered now.
    invalidateChanged(client, id, "masterData");
    if (!kept) return;
    announce(t("details-kept", { name: localizedText(buyer.name, language) }));
    // The button goes with its words. Who has gone on to another field meanwhile stays there.
    keepFocus(() => nearestInput("buyer.taxId"));
  };
  return (
    <>
      <Notice
        severity="info"
        variant="inline"
        text={text}
        buttons={
          <>
            <Button size="sm" onPress={() => onParty(party)}>
              {t("use-known-buyer")}
            </Button>
            {canKeep && (
              <Button size="sm" isBusy={busy} aria-label={t("keep-details", { name })} onPress={() => void keep()}>
                {t("keep-new-details")}
              </Button>
            )}
          </>
        }
      />
      {error && <ErrorNotice error={error} variant="inline" />}
    </>
  );
}

/** Whether a buyer without a tax id has only another name than the one that was chosen: its address has stayed. */
function isRenamed(buyer: BuyerContent, chosen: BuyerContent): boolean {
  if (buyer.taxId.trim() !== "" || chosen.taxId !== "" || !hasName(buyer) || isSameName(buyer, chosen)) return false;
  const address = addressOf(buyer);
  return address !== "" && address === addressOf(chosen);
}

function addressOf({ building, street, district, city, postalCode }: BuyerContent): string {
  return [building, street, district, city, postalCode].map(compared).join(" ").trim();
}

function hasName({ name }: BuyerContent): boolean {
  return name.en.trim() !== "" || name.ar.trim() !== "";
}

/** Whether two buyers are typed alike in what one is known by. */
function isSameBuyer(one: BuyerContent, other: BuyerContent): boolean {
  return one.taxId === other.taxId && one.name.en === other.name.en && one.name.ar === other.name.ar;
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
