/** Component gallery for development: `/gallery?language=ar&theme=dark&digits=arabic`. It follows its address. */

import { QueryClientProvider } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { type ReactNode, useMemo, useState } from "react";
import { MenuTrigger } from "react-aria-components";
import { NameText, NumericText } from "../components/BidiText";
import { Button, IconButton } from "../components/Button";
import { Checkbox } from "../components/Checkbox";
import { CopyButton } from "../components/CopyButton";
import { DateField } from "../components/DateField";
import { TextField } from "../components/Field";
import { InvoiceStatusLabel } from "../components/InvoiceStatus";
import { MenuItem, MenuPopover, MenuSection } from "../components/Menu";
import { Modal } from "../components/Modal";
import { OrganizationBadge } from "../components/OrganizationBadge";
import { Select } from "../components/Select";
import { UnreadableDraftList } from "../drafts/UnreadableDrafts";
import { ErrorSummary } from "../editor/ErrorSummary";
import { formFields, toFieldErrors } from "../editor/fields";
import { Totals } from "../editor/Totals";
import { EnvironmentBadge } from "../environments/EnvironmentBadge";
import { ErrorNotice } from "../errors/ErrorNotice";
import type { ErrorPlacement } from "../errors/errorRow";
import { type NoticeVariant } from "../errors/Notice";
import { placementOf } from "../errors/table";
import { LocalizerProvider, useLocalizer } from "../i18n/LocalizerProvider";
import { ConfirmDialog } from "../invoices/ConfirmDialog";
import { InvoiceGrid } from "../invoices/InvoiceGrid";
import { SumsBar } from "../invoices/SumsBar";
import { emptySelection, toggleRow } from "../invoices/selection";
import type {
  CommandError,
  Digits,
  InvoiceStatus,
  Language,
  ListColumn,
  Preferences,
  Theme,
  UnreadableReason,
} from "../ipc/bindings";
import { OutagePage } from "../shell/OutagePage";
import { NavigationContext } from "../state/navigation";
import { createQueryClient } from "../state/queryClient";
import { useNavigationState } from "../state/useNavigationState";
import { WorkspaceContext } from "../state/workspace";
import { content, errors, organizations, row, view } from "./fixtures";
import { useSearchParameters } from "./useSearchParameters";

export function Gallery() {
  const parameters = useSearchParameters();
  const preferences: Preferences = {
    language: (parameters.get("language") ?? "en") as Language,
    theme: (parameters.get("theme") ?? "light") as Theme,
    digits: (parameters.get("digits") ?? "latin") as Digits,
  };
  const client = useMemo(() => createQueryClient(), []);
  return (
    <QueryClientProvider client={client}>
      <LocalizerProvider preferences={preferences}>
        <GalleryPage />
      </LocalizerProvider>
    </QueryClientProvider>
  );
}

function GalleryPage() {
  const navigation = useNavigationState();
  const [organization] = organizations;
  const workspace = useMemo(() => {
    if (!organization) throw new Error("there are sample organizations");
    return {
      organization,
      binding: { organization: organization.id, generation: 1 },
      retries: [],
      session: {
        state: "signedIn" as const,
        account: { subject: "1", name: "Noura Al-Harbi", username: "noura" },
        environment: {
          name: "Staging",
          kind: "staging" as const,
          authUrl: "https://auth.example",
          baseUrl: "https://api.example",
          config: null,
          demoAccounts: [],
        },
        organizations,
        connectivity: { state: "online" as const },
        vault: null,
        error: null,
        rolesAsOf: "2026-11-20T09:12:00Z",
        impersonation: null,
        ends: null,
      },
    };
  }, [organization]);
  return (
    <WorkspaceContext value={workspace}>
      <NavigationContext value={navigation}>
        <main className="h-full overflow-y-auto bg-canvas">
          <div className="mx-auto flex max-w-240 flex-col gap-8 p-6">
            <h1 className="font-semibold text-lg">Gallery</h1>
            <Components />
            <Organizations />
            <Money />
            <MillionRows />
            <UnreadableDraftSamples />
            <OutageSample />
            <Errors />
          </div>
        </main>
      </NavigationContext>
    </WorkspaceContext>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="flex flex-col gap-3">
      <h2 className="border-line border-b pb-1 font-semibold text-md">{title}</h2>
      {children}
    </section>
  );
}

function Components() {
  const { t } = useLocalizer();
  const [date, setDate] = useState("2026-11-14");
  const [unit, setUnit] = useState("C62");
  const [text, setText] = useState("");
  const [openDialog, setOpenDialog] = useState<"modal" | "freeze" | null>(null);
  return (
    <Section title="Parts">
      <div className="flex flex-wrap items-center gap-2">
        <Button variant="primary" shortcut="newInvoice" icon={<Plus size={15} aria-hidden="true" />}>
          {t("new-invoice")}
        </Button>
        <Button shortcut="duplicate">{t("duplicate")}</Button>
        <Button variant="quiet">{t("cancel")}</Button>
        <Button variant="danger">{t("freeze-confirm")}</Button>
        <Button isDisabled>{t("issue")}</Button>
        <Button size="sm">{t("undo")}</Button>
        <IconButton label={t("close")} icon={<Plus size={15} aria-hidden="true" />} />
        <CopyButton text="x" label={t("act-copyLink")} />
        <Button onPress={() => setOpenDialog("modal")}>Modal</Button>
        <Button onPress={() => setOpenDialog("freeze")}>{t("freeze")}</Button>
        <MenuTrigger>
          <Button>{t("language")}</Button>
          <MenuPopover label={t("language")}>
            <MenuSection title={t("theme")} value="light" onChange={() => undefined}>
              <MenuItem id="light">{t("theme-light")}</MenuItem>
              <MenuItem id="dark" shortcut="language">
                {t("theme-dark")}
              </MenuItem>
            </MenuSection>
          </MenuPopover>
        </MenuTrigger>
      </div>
      <div className="grid grid-cols-3 gap-3">
        <TextField label={t("field-buyer-name")} value={text} onChange={setText} isRequired />
        <TextField label={t("field-tax-id")} value="310122393500003" numeric hint={t("alias-hint")} />
        <TextField label={t("field-city")} value="" isInvalid />
        <DateField label={t("field-due-date")} value={date} onChange={setDate} />
        <DateField label={t("field-supply-date")} value="" onChange={setDate} isInvalid />
        <Select
          label={t("field-unit")}
          value={unit}
          onChange={setUnit}
          choices={[
            { id: "C62", label: t("unit-C62"), detail: "C62" },
            { id: "HUR", label: t("unit-HUR"), detail: "HUR" },
          ]}
        />
        <TextField label={t("field-note")} multiline value={text} onChange={setText} />
        <div>
          <Checkbox defaultSelected>{t("status-issued")}</Checkbox>
          <Checkbox>{t("status-draft")}</Checkbox>
        </div>
      </div>
      <div className="flex flex-wrap gap-6">
        {(["draft", "issued", "frozen", "rejected"] satisfies InvoiceStatus[]).map((status) => (
          <InvoiceStatusLabel key={status} row={{ ...row, status }} />
        ))}
      </div>
      <Modal title={t("compare-title")} isOpen={openDialog === "modal"} onClose={() => setOpenDialog(null)}>
        <p>{t("compare-hint")}</p>
      </Modal>
      {openDialog === "freeze" && (
        <ConfirmDialog
          action="freeze"
          view={view}
          busy={false}
          error={null}
          onConfirm={() => setOpenDialog(null)}
          onEdit={() => setOpenDialog(null)}
          onClose={() => setOpenDialog(null)}
        />
      )}
    </Section>
  );
}

function Organizations() {
  return (
    <Section title="Organizations">
      <div className="grid grid-cols-4 gap-3">
        {organizations.map((organization) => (
          <div
            key={organization.id}
            className="overflow-hidden rounded-md border border-line bg-surface"
            style={{ "--org": organization.color }}
          >
            <div className="org-edge h-[3px]" data-pattern={organization.pattern} />
            <div className="flex items-center gap-2 p-2">
              <OrganizationBadge organization={organization} />
              <NameText>{organization.name}</NameText>
            </div>
          </div>
        ))}
      </div>
      <div className="flex gap-2">
        {(["local", "staging", "production"] as const).map((kind) => (
          <EnvironmentBadge
            key={kind}
            environment={{ name: kind, kind, authUrl: "", baseUrl: "", config: null, demoAccounts: [] }}
          />
        ))}
      </div>
    </Section>
  );
}

function Money() {
  const localizer = useLocalizer();
  const { format } = localizer;
  const selection = [row, { ...row, key: "2", currency: "KWD", net: "812.375", tax: "0.000", gross: "812.375" }].reduce(
    (chosen, each, index) => toggleRow(chosen, each, index),
    emptySelection,
  );
  const sums = [
    { currency: "SAR", count: 9, net: "4271371.61", tax: "640705.74", gross: "4912077.35" },
    { currency: "KWD", count: 3, net: "18204.125", tax: "0.000", gross: "18204.125" },
  ];
  return (
    <Section title="Money">
      <div className="flex flex-wrap gap-4">
        {["23000.00", "-1725.00", "0.00", "9007199254740993.01"].map((amount) => (
          <NumericText key={amount}>{format.money(amount, "SAR")}</NumericText>
        ))}
      </div>
      <SumsBar selection={selection} total={1284} all={sums} />
      <Totals
        calculation={{
          lines: view.lines,
          taxBreakdown: view.taxBreakdown,
          totals: { net: "20000.00", tax: "3000.00", gross: "23000.00", payable: "23000.00" },
          violations: [],
        }}
        missing={null}
        currency="SAR"
        onExplain={() => undefined}
      />
      <ErrorSummary
        fieldErrors={toFieldErrors(
          [
            { field: "buyer.name", path: "", rule: "BR-07", description: "x" },
            { field: "lines[0].taxRate", path: "", rule: "BR-S-05", description: "x" },
            { field: null, path: "prepaid", rule: "BR-99", description: "is not known here" },
          ],
          formFields(content.lines.length, content.correction !== null, localizer.language),
          localizer,
        )}
        title={localizer.t("error-invalid", { count: 3, organization: "Al-Khair Trading" })}
        onGo={() => undefined}
      />
    </Section>
  );
}

const usualColumns: readonly ListColumn[] = [];

/** A virtual list with a million generated rows. */
function MillionRows() {
  const total = 1_000_000;
  const [selection, setSelection] = useState(emptySelection);
  const [opened, setOpened] = useState<string | null>(null);
  const list = useMemo(
    () => ({
      total,
      sums: [],
      hasAuthority: undefined,
      row: (index: number) => ({ ...row, key: String(index), number: `INV-${String(index + 1).padStart(7, "0")}` }),
      loaded: [],
      error: null,
      offlineAsOf: null,
      outdated: false,
      load: async () => [],
      refresh: nothing,
    }),
    [],
  );
  return (
    <Section title="A million rows">
      <div className="flex h-90 flex-col border border-line bg-surface">
        <InvoiceGrid
          list={list}
          total={total}
          sort={null}
          onSort={nothing}
          selection={selection}
          onSelection={setSelection}
          onRangeSelection={nothing}
          hasAuthority={false}
          columns={usualColumns}
          today="2026-11-26"
          onColumnWidth={nothing}
          opened={opened}
          onOpen={setOpened}
          detailFollows={false}
          onRange={nothing}
          resetKey=""
        />
      </div>
    </Section>
  );
}

/** The variant of the notice for each placement. */
const variants: Record<ErrorPlacement, NoticeVariant> = {
  fields: "card",
  document: "card",
  compare: "card",
  action: "card",
  list: "page",
  window: "page",
  banner: "banner",
  inline: "inline",
  dialog: "card",
  status: "inline",
  signIn: "card",
};

const nothing = () => undefined;
const everyHandler = new Proxy({}, { get: () => nothing });

/** One unreadable draft for each reason. */
function UnreadableDraftSamples() {
  const reasons: UnreadableReason[] = ["keyringLocked", "otherKey", "newerVersion", "damaged", "notReadable", "replaced"];
  return (
    <Section title="Unreadable drafts">
      <UnreadableDraftList
        drafts={reasons.map((reason, index) => ({
          file: `${reason}.draft`,
          reason,
          saved: index % 2 === 0 ? "2026-11-14T09:30:00Z" : "",
        }))}
        exported={{ folder: "/home/noura/.local/share/invoice-desk/drafts/exported/2026-11-14T09-30-00Z", files: 6 }}
        error={null}
        onUnlock={nothing}
        onCopy={nothing}
        onDelete={nothing}
      />
    </Section>
  );
}

/** The service is down for every organization. */
function OutageSample() {
  const error = errors.organizationUnavailable.find((sample) => !sample.othersAnswer);
  if (!error) return null;
  return (
    <Section title="Outage">
      <div className="flex" data-error="outage">
        <OutagePage error={error} until={null} onTryNow={nothing} onDrafts={nothing} />
      </div>
    </Section>
  );
}

function Errors() {
  return (
    <Section title="Errors">
      {Object.entries(errors).map(([kind, samples]) => (
        <div key={kind} className="flex flex-col gap-2">
          <h3 className="text-fg-2 text-xs">
            <bdi dir="ltr">{kind}</bdi>
          </h3>
          {samples.map((error: CommandError, index) => (
            // oxlint-disable-next-line react/no-array-index-key
            <div key={index} data-error={kind}>
              <ErrorNotice error={error} variant={variants[placementOf(error)]} handlers={everyHandler} />
            </div>
          ))}
        </div>
      ))}
    </Section>
  );
}
