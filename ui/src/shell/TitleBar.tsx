/** Title bar: organization, environment, search, new invoice, account. */

import { ChevronsUpDown, Plus, Search, X } from "lucide-react";
import { type KeyboardEvent, Suspense, useRef } from "react";
import { Button as AriaButton } from "react-aria-components";
import { NameText } from "../components/BidiText";
import { Button } from "../components/Button";
import { Kbd } from "../components/Kbd";
import { lazyComponent } from "../components/lazyComponent";
import { OrganizationBadge } from "../components/OrganizationBadge";
import { ariaKeyShortcuts, useShortcut, useShortcutKeys } from "../components/shortcuts";
import { useNewDraft } from "../drafts/useNewDraft";
import { EnvironmentBadge } from "../environments/EnvironmentBadge";
import { showWindowError } from "../errors/windowError";
import { useLocalizer } from "../i18n/LocalizerProvider";
import { noFilter } from "../queries/invoicePages";
import { useReadsDocuments } from "../queries/permissionsQuery";
import { activeRow, useNavigation } from "../state/navigation";
import { useWorkspace } from "../state/workspace";

const AccountMenu = lazyComponent(async () => (await import("./AccountMenu")).AccountMenu);
const NewDocumentMenu = lazyComponent(async () => (await import("./NewDocumentMenu")).NewDocumentMenu);

export function TitleBar({ onSwitch }: { onSwitch: () => void }) {
  const { t } = useLocalizer();
  const { organization, session } = useWorkspace();
  const { start, offered, available, busy } = useNewDraft(showWindowError);
  const { view } = useNavigation();
  const searches = useReadsDocuments();
  const switchKeys = useShortcutKeys("switchOrganization");
  // The editor has a primary action of its own.
  const isPrimary = view.name !== "editor";
  const staging = session.environment.kind === "staging";
  return (
    <header
      data-region=""
      className={`flex min-h-10 shrink-0 items-center gap-3 border-line border-b px-3 max-narrow:flex-wrap max-narrow:gap-2 max-narrow:px-2 max-narrow:py-1 ${staging ? "hatched bg-warning-soft" : "bg-surface"}`}
    >
      {/* The search is centred, as long as the name leaves it enough room: a long name is not cut beside free space. */}
      <div className="flex min-w-0 items-center gap-3 wide:min-w-max wide:flex-1 wide:shrink-0 max-narrow:max-w-full max-narrow:shrink">
        <AriaButton
          data-switcher=""
          onPress={onSwitch}
          aria-keyshortcuts={ariaKeyShortcuts(switchKeys)}
          className="flex h-8 min-w-0 max-w-60 items-center wide:max-w-[42vw] narrow:max-w-[36vw] gap-2 rounded-md border border-line bg-surface ps-1 pe-2 data-[hovered]:border-line-strong"
        >
          <OrganizationBadge organization={organization} />
          <span className="relative min-w-0">
            <NameText className="block truncate font-semibold">{organization.name}</NameText>
            <span className="visually-hidden">{t("switcher-button")}</span>
          </span>
          <span className="contents max-wide:hidden">
            <Kbd keys={switchKeys} />
          </span>
          <ChevronsUpDown size={13} aria-hidden="true" className="shrink-0 text-fg-3" />
        </AriaButton>
        <EnvironmentBadge environment={session.environment} />
      </div>
      {searches && <InvoiceSearch />}
      <div className="ms-auto flex shrink-0 items-center justify-end gap-3 wide:flex-1">
        {offered && (
          <div className="flex items-center gap-px">
            <Button
              variant={isPrimary ? "primary" : "secondary"}
              shortcut="newInvoice"
              isDisabled={!available}
              isBusy={busy}
              onPress={() => start(null)}
              icon={<Plus size={15} aria-hidden="true" />}
            >
              <span className="max-narrow:visually-hidden">{t("new-invoice")}</span>
            </Button>
            <Suspense fallback={<span className="w-7 shrink-0" />}>
              <NewDocumentMenu isPrimary={isPrimary} isDisabled={!available} />
            </Suspense>
          </div>
        )}
        <Suspense fallback={<span className="size-7 shrink-0" />}>
          <AccountMenu />
        </Suspense>
      </div>
    </header>
  );
}

function InvoiceSearch() {
  const { t } = useLocalizer();
  const { search, setSearch, openFirstHitOf, navigate, view } = useNavigation();
  const input = useRef<HTMLInputElement>(null);
  const searchKeys = useShortcutKeys("search");
  useShortcut("search", () => input.current?.focus());
  const change = (text: string) => {
    setSearch(text);
    // From another screen it is in all documents: the filter of the list is not shown there.
    if (view.name !== "invoices") navigate({ name: "invoices", filter: noFilter });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || event.keyCode === 229) return;
    if (event.key === "Enter" && search !== "") openFirstHitOf(search);
    else if (event.key === "ArrowDown") document.querySelector<HTMLElement>(activeRow)?.focus();
    else if (event.key === "Escape" && search !== "") change("");
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const clear = () => {
    change("");
    input.current?.focus();
  };
  return (
    <div className="field-box group flex h-8 w-full min-w-24 max-w-105 max-wide:w-auto max-wide:flex-1 max-narrow:order-last max-narrow:max-w-full max-narrow:basis-full items-center gap-2 rounded-md border border-line-strong bg-canvas px-2.5 text-fg-3">
      <Search size={14} aria-hidden="true" className="shrink-0" />
      {/* Not the field of React Aria, whose code no other part of a first screen needs. */}
      <input
        ref={input}
        type="search"
        aria-label={t("search-label")}
        aria-keyshortcuts={ariaKeyShortcuts(searchKeys)}
        autoComplete="off"
        spellCheck={false}
        value={search}
        onChange={(event) => change(event.target.value)}
        onKeyDown={onKeyDown}
        dir={search === "" ? undefined : "auto"}
        placeholder={t("search-placeholder")}
        className="min-w-0 flex-1 bg-transparent text-fg [&::-webkit-search-cancel-button]:hidden"
      />
      {search === "" ? (
        <span className="contents max-narrow:hidden">
          <Kbd keys={searchKeys} />
        </span>
      ) : (
        <AriaButton
          aria-label={t("search-clear")}
          onPress={clear}
          className="inline-flex size-5 items-center justify-center rounded-sm data-[hovered]:text-fg"
        >
          <X size={14} aria-hidden="true" />
        </AriaButton>
      )}
    </div>
  );
}
