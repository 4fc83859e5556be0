/** The entries of the command palette for the organization of the window, as they are shown. */

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { AppWindow, Building2, type LucideIcon, Settings2, SquareTerminal } from "lucide-react";
import { type ReactNode, useMemo, useState } from "react";
import { applicableCommands } from "../components/commands";
import { StatusIcon } from "../components/InvoiceStatus";
import { OrganizationBadge } from "../components/OrganizationBadge";
import { showWindowError } from "../errors/windowError";
import { useLocalizer } from "../i18n/LocalizerProvider";
import { localizedText } from "../i18n/localizedText";
import { type Localizer, plainText } from "../i18n/localizer";
import { useLocalizerOf } from "../i18n/useLocalizerOf";
import { signedAmount } from "../invoices/rowText";
import type { InvoiceRow } from "../ipc/bindings";
import { useSwitchOrganization } from "../organizations/useSwitchOrganization";
import { useParties } from "../parties/useParties";
import { draftsQuery } from "../queries/draftQueries";
import { noFilter } from "../queries/invoicePages";
import { useReadsDocuments } from "../queries/permissionsQuery";
import { screens } from "../shell/screens";
import { useOfferedScreens } from "../shell/useOfferedScreens";
import { useNavigation } from "../state/navigation";
import { usePreferences } from "../state/usePreferences";
import { useWorkspace } from "../state/workspace";
import { requestWindow } from "../windows/requestedWindow";
import { type DocumentSearch, loadedDocuments, unique, useDocumentSearch } from "./documentSearch";
import type { Entry } from "./entries";
import { otherSettings } from "./settingEntries";

export interface PaletteEntry extends Entry {
  icon: ReactNode;
  /** Texts under or beside the label. */
  detail?: readonly string[];
  /** An amount with its currency. */
  amount?: string | undefined;
  keys?: string | undefined;
}

export interface Entries {
  entries: readonly PaletteEntry[];
  documents: DocumentSearch;
}

const iconOf = (Icon: LucideIcon) => <Icon size={15} aria-hidden="true" />;

/** The entries as of the opening of the palette, and what the service finds for `text`. */
export function useEntries(text: string): Entries {
  const localizer = useLocalizer();
  const { session, organization } = useWorkspace();
  const { switchTo } = useSwitchOrganization(showWindowError);
  const { navigate, openInvoice, setSearch, view } = useNavigation();
  const inList = view.name === "invoices";
  const client = useQueryClient();
  const drafts = useQuery(draftsQuery(organization.id)).data;
  // The dialog covers the views: what applied when it opened still applies when it closes.
  const [commands] = useState(() => applicableCommands().filter(({ id }) => id !== "palette" && id !== "close"));
  const [loaded] = useState(() => loadedDocuments(client, organization.id));
  const searched = useReadsDocuments() ? text : "";
  const documents = useDocumentSearch(organization.id, searched);
  const parties = useParties(organization.id, searched);
  const { preferences, change } = usePreferences();
  const offered = useOfferedScreens();
  const other = useLocalizerOf(localizer.language === "ar" ? "en" : "ar");

  const fixed = useMemo(() => {
    const { t } = localizer;
    const commandEntries = commands.map(
      ({ id, label, keys, run }): PaletteEntry => ({
        id: `command:${id}`,
        kind: "command",
        label: textOf(label, localizer),
        also: other ? [textOf(label, other)] : [],
        icon: iconOf(SquareTerminal),
        keys,
        run,
      }),
    );
    const screenEntries = offered.map(
      ({ view: screen, label, Icon }): PaletteEntry => ({
        id: `screen:${screen.name}`,
        kind: "screen",
        label: t(label),
        also: other ? [other.t(label)] : [],
        icon: iconOf(Icon),
        run: () => navigate(screen),
      }),
    );
    const organizationEntries = session.organizations
      .filter(({ id }) => id !== organization.id)
      .map(
        (each): PaletteEntry => ({
          id: `organization:${each.id}`,
          kind: "organization",
          label: each.name,
          also: each.foundBy,
          icon: <OrganizationBadge organization={each} size="sm" />,
          detail: [each.domain],
          keys: keysOf(session.organizations.indexOf(each)),
          run: () => void switchTo(each.id),
        }),
      );
    const windowEntries = session.organizations.map((each): PaletteEntry => {
      const named = { organization: each.name };
      return {
        id: `window:${each.id}`,
        kind: "command",
        label: plainText(t("open-in-new-window", named)),
        also: [...each.foundBy, ...(other ? [plainText(other.t("open-in-new-window", named))] : [])],
        typedOnly: true,
        icon: iconOf(AppWindow),
        run: () => requestWindow(each.id),
      };
    });
    const settingEntries = otherSettings(preferences).map(
      ({ label, change: changed }): PaletteEntry => ({
        id: `setting:${label}`,
        kind: "command",
        label: t(label),
        also: other ? [other.t(label)] : [],
        typedOnly: true,
        icon: iconOf(Settings2),
        run: () => change(changed),
      }),
    );
    const draftEntries = (drafts ?? []).map(
      ({ key, kind, buyer, gross, currency }): PaletteEntry => ({
        id: `draft:${key}`,
        kind: "document",
        label: localizedText(buyer, localizer.language) || t("palette-draft"),
        also: [buyer.ar, buyer.en, gross ?? "", t("drafts")],
        icon: iconOf(screens.drafts.Icon),
        detail: [t("palette-draft")],
        amount: gross ? localizer.format.money(signedAmount({ kind }, gross), currency) : undefined,
        run: () => navigate({ name: "editor", draft: key }),
      }),
    );
    return [...commandEntries, ...settingEntries, ...screenEntries, ...organizationEntries, ...windowEntries, ...draftEntries];
  }, [
    change,
    commands,
    drafts,
    localizer,
    navigate,
    offered,
    organization.id,
    other,
    preferences,
    session.organizations,
    switchTo,
  ]);

  const rows = useMemo(() => {
    const found = new Set(documents.rows.map(({ key }) => key));
    const open = (key: string) => {
      navigate({ name: "invoices" });
      openInvoice(key);
    };
    return unique([...documents.rows, ...loaded]).map((row) => rowEntry(row, found.has(row.key), localizer, open));
  }, [documents.rows, loaded, localizer, navigate, openInvoice]);

  const buyers = useMemo(() => {
    const show = (search: string) => {
      setSearch(search);
      // As from the search field: on another screen the filter of the list is not shown.
      if (!inList) navigate({ name: "invoices", filter: noFilter });
    };
    return (parties ?? []).map(({ key, buyer: { name, taxId, city } }): PaletteEntry => {
      const label = localizedText(name, localizer.language);
      return {
        id: `buyer:${key}`,
        kind: "buyer",
        label,
        also: [name.ar, name.en, taxId],
        icon: iconOf(Building2),
        detail: [taxId, city].filter(Boolean),
        run: () => show(label),
      };
    });
  }, [parties, localizer.language, inList, navigate, setSearch]);

  return { entries: useMemo(() => [...fixed, ...rows, ...buyers], [fixed, rows, buyers]), documents };
}

function rowEntry(
  row: InvoiceRow,
  found: boolean,
  { t, language, format }: Localizer,
  open: (key: string) => void,
): PaletteEntry {
  const buyer = localizedText(row.buyer, language);
  const label = row.number === "" ? buyer || t("status-draft") : row.number;
  const date = format.date(row.issueDate);
  return {
    id: `document:${row.key}`,
    kind: "document",
    label,
    also: [row.buyer.ar, row.buyer.en, row.gross],
    icon: <StatusIcon status={row.status} />,
    detail: [row.number === "" ? t("status-draft") : buyer, row.kind === "invoice" ? "" : t(`kind-${row.kind}`), date].filter(
      (text) => text !== "",
    ),
    amount: format.money(signedAmount(row, row.gross), row.currency),
    found,
    run: () => open(row.key),
  };
}

function keysOf(index: number): string | undefined {
  return index < 9 ? `Mod+${index + 1}` : undefined;
}

function textOf(id: string, { has, t }: Localizer): string {
  return has(id) ? t(id) : id;
}
