/** What the choices of an organization share: the field that searches them, and a row with badge, names and roles. */

import { House, Pin, Search } from "lucide-react";
import type { KeyboardEvent, ReactNode, RefObject } from "react";
import { Input, ListBoxItem, SearchField } from "react-aria-components";
import { NameText, NumericText } from "../components/BidiText";
import { OrganizationBadge } from "../components/OrganizationBadge";
import { useLocalizer } from "../i18n/LocalizerProvider";
import type { OrganizationView } from "../ipc/bindings";
import { roleName } from "./roles";

export interface OrganizationSearchProps {
  value: string;
  onChange: (value: string) => void;
  /** The list of what is found: the arrow down leads to it. */
  list: RefObject<HTMLElement | null>;
  /** Enter after something was typed: it is about the first of the list. */
  onEnter: () => void;
  field?: RefObject<HTMLInputElement | null>;
}

export function OrganizationSearch({ value, onChange, list, onEnter, field }: OrganizationSearchProps) {
  const { t } = useLocalizer();
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || event.keyCode === 229) return;
    if (event.key === "ArrowDown") list.current?.querySelector<HTMLElement>("[role=option]")?.focus();
    else if (event.key === "Enter" && value !== "") onEnter();
    else return;
    event.preventDefault();
  };
  return (
    <SearchField
      aria-label={t("switcher-search")}
      autoFocus
      value={value}
      onChange={onChange}
      onKeyDown={onKeyDown}
      className="field-box flex h-8 items-center gap-2 rounded-md border border-control px-2.5 text-fg-3"
    >
      <Search size={14} aria-hidden="true" />
      <Input
        ref={field}
        dir={value === "" ? undefined : "auto"}
        placeholder={t("switcher-search")}
        className="min-w-0 flex-1 bg-transparent text-fg [&::-webkit-search-cancel-button]:hidden"
      />
    </SearchField>
  );
}

/** `children` stand at the end of the row. */
export function OrganizationOption({ organization, children }: { organization: OrganizationView; children?: ReactNode }) {
  return (
    <ListBoxItem
      id={organization.id}
      textValue={organization.name}
      className="flex min-h-12 items-center gap-3 rounded-md px-2 py-1.5 outline-none data-[focused]:bg-sunken data-[selected]:bg-accent-soft data-[focus-visible]:outline-2 data-[focus-visible]:outline-focus"
    >
      <OrganizationBadge organization={organization} size="lg" />
      <OrganizationText organization={organization} />
      {children}
    </ListBoxItem>
  );
}

function OrganizationText({ organization }: { organization: OrganizationView }) {
  const localizer = useLocalizer();
  const { t, format } = localizer;
  return (
    <span className="min-w-0 flex-1">
      <span className="flex items-center gap-1.5">
        <NameText className="truncate font-semibold">{organization.name}</NameText>
        {organization.home && (
          <span className="inline-flex items-center gap-1 text-fg-2 text-xs">
            <House size={12} aria-hidden="true" />
            {t("home")}
          </span>
        )}
        {organization.pinned && (
          <span className="inline-flex text-fg-2">
            <Pin size={12} aria-hidden="true" />
            <span className="visually-hidden">{t("pinned")}</span>
          </span>
        )}
      </span>
      <span className="flex flex-wrap gap-x-2 text-fg-2 text-xs">
        <NumericText>{organization.domain}</NumericText>
        <span>{format.list(organization.roles.map((role) => roleName(role, localizer)))}</span>
      </span>
    </span>
  );
}
