/** Offers to keep what a document that was just saved says otherwise than is remembered of its buyer and items (decision 0188). */

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { announce } from "../components/announce";
import { Button } from "../components/Button";
import { useFocusAfterRemoval } from "../components/useFocusAfterRemoval";
import { ErrorNotice } from "../errors/ErrorNotice";
import { Notice } from "../errors/Notice";
import { useLocalizer } from "../i18n/LocalizerProvider";
import { localizedText } from "../i18n/localizedText";
import type { Localizer } from "../i18n/localizer";
import type { CommandError, DueTerms, Permissions, RememberedDifferences, WindowBinding } from "../ipc/bindings";
import { commandError, commands } from "../ipc/call";
import { useCommandCalls } from "../ipc/useCommandCalls";
import { usePermissions } from "../queries/permissionsQuery";
import { withBinding } from "../state/withBinding";
import { useWorkspace } from "../state/workspace";
import { invalidateChanged } from "../windows/useChangedData";
import { differencesQuery, rememberDocument, setDifferences } from "./memoryQueries";

/** How many are shown each for itself. A price list that was raised has one for every line. */
const SHOWN = 4;

/** A remembered buyer or item that the document says something else of. */
interface Difference {
  /** Of the record. */
  key: string;
  name: string;
  text: string;
  keep: (binding: WindowBinding) => Promise<{ status: "ok"; data: unknown } | { status: "error"; error: CommandError }>;
}

export function RememberedDetails({ documentKey }: { documentKey: string }) {
  const localizer = useLocalizer();
  const { organization, session } = useWorkspace();
  const permissions = usePermissions();
  const told = useQuery(differencesQuery(organization.id, documentKey)).data;
  const differences = told ? differencesOf(told, permissions, localizer) : [];
  // What is kept is not sent later.
  if (!told || differences.length === 0 || session.connectivity.state !== "online") return null;
  return <Offer documentKey={documentKey} differences={differences} dueTerms={told.party?.change.dueTerms ?? null} />;
}

interface OfferProps {
  documentKey: string;
  /** At least one. */
  differences: readonly Difference[];
  /** Those that have given the due date of the document. */
  dueTerms: DueTerms | null;
}

function Offer({ documentKey, differences, dueTerms }: OfferProps) {
  const { t } = useLocalizer();
  const client = useQueryClient();
  const { id } = useWorkspace().organization;
  const { run, busy, error } = useCommandCalls();
  const box = useRef<HTMLDivElement>(null);
  // The button of a difference goes with it. Once the whole offer is gone, the document has the focus.
  useFocusAfterRemoval(box, () => box.current?.querySelector("button"));
  const [first] = differences;
  if (!first) return null;
  /** `words` say that all of them are kept. */
  const keep = (all: readonly Difference[], words: string) =>
    run(async () => {
      try {
        for (const { key, keep: keepOne } of all) {
          await withBinding(id, keepOne);
          client.setQueryData(differencesQuery(id, documentKey).queryKey, (now) => now && without(now, key));
        }
        announce(words);
      } catch (thrown) {
        // What is remembered now is compared again.
        if (commandError(thrown).kind === "aborted") await rememberDocument(client, id, documentKey, dueTerms);
        throw thrown;
      } finally {
        invalidateChanged(client, id, "masterData");
      }
    });
  const leave = () => setDifferences(client, id, documentKey, null);
  const keepButton = (one: Difference) => (
    <Button
      size="sm"
      isBusy={busy}
      aria-label={t("keep-details", { name: one.name })}
      onPress={() => void keep([one], t("details-kept", { name: one.name }))}
    >
      {t("keep-new-details")}
    </Button>
  );
  const leaveButton = (
    <Button size="sm" variant="quiet" onPress={leave}>
      {t("leave-details")}
    </Button>
  );
  const shown = differences.slice(0, SHOWN);
  const more = differences.length - shown.length;
  return (
    <div ref={box} className="flex flex-col gap-2 pb-3">
      {differences.length === 1 ? (
        <Notice
          severity="info"
          variant="card"
          text={first.text}
          buttons={
            <>
              {keepButton(first)}
              {leaveButton}
            </>
          }
        />
      ) : (
        <Notice
          severity="info"
          variant="card"
          text={t("differences-title")}
          buttons={
            <>
              <Button size="sm" isBusy={busy} onPress={() => void keep(differences, t("all-details-kept"))}>
                {t("keep-all-details")}
              </Button>
              {leaveButton}
            </>
          }
        >
          <ul className="flex flex-col gap-2 py-2">
            {shown.map((each) => (
              <li key={each.key} className="flex flex-col items-start gap-1">
                <span>{each.text}</span>
                {keepButton(each)}
              </li>
            ))}
            {more > 0 && <li>{t("differences-more", { count: more })}</li>}
          </ul>
        </Notice>
      )}
      {error && <ErrorNotice error={error} variant="inline" />}
    </div>
  );
}

/** What differs of the records that the person may change. */
function differencesOf(
  { party, items }: RememberedDifferences,
  permissions: Permissions | undefined,
  { t, format, language }: Localizer,
): Difference[] {
  const found: Difference[] = [];
  if (party && permissions?.updateParties) {
    const { change } = party;
    const name = localizedText(party.name, language);
    const parts = format.list(party.parts.map((part) => t(`party-part-${part}`)));
    const keep: Difference["keep"] = (binding) => commands.updateParty(binding, change);
    found.push({ key: change.key, name, text: t("differs-from-remembered", { name, parts }), keep });
  }
  for (const item of permissions?.updateItems ? items : []) {
    const { change } = item;
    const name = localizedText(item.name, language);
    const parts = format.list(item.parts.map((part) => t(`item-part-${part}`)));
    const keep: Difference["keep"] = (binding) => commands.updateItem(binding, change);
    found.push({ key: change.key, name, text: t("differs-from-remembered", { name, parts }), keep });
  }
  return found;
}

function without({ party, items }: RememberedDifferences, key: string): RememberedDifferences {
  return {
    party: party?.change.key === key ? null : party,
    items: items.filter(({ change }) => change.key !== key),
  };
}
