/** The filters of the list, as chips with a popover. */

import { Plus, RefreshCw, X } from "lucide-react";
import { type Dispatch, type SetStateAction, useRef, useState } from "react";
import { Button as AriaButton, DialogTrigger, MenuTrigger, Popover } from "react-aria-components";
import { Button, IconButton } from "../components/Button";
import { activeChipClass, chipClass } from "../components/chipClasses";
import { keepFocus } from "../components/keepFocus";
import { MenuItem, MenuPopover } from "../components/Menu";
import { useShortcut } from "../components/shortcuts";
import { useLocalizer } from "../i18n/LocalizerProvider";
import { plainText } from "../i18n/localizer";
import { type InvoiceFilter } from "../queries/invoicePages";
import { FacetEditor } from "./FacetEditor";
import { useFacetText } from "./facetText";
import { type Facet, facets, isActive, without } from "./filter";

export interface FilterBarProps {
  filter: InvoiceFilter;
  onFilter: Dispatch<SetStateAction<InvoiceFilter>>;
  /** Currencies to choose from. */
  currencies: readonly string[];
  /** Without a tax authority its states are no filter to add. One that a view has can be removed. */
  hasAuthority: boolean;
  onRefresh: () => void;
  refreshing: boolean;
}

export function FilterBar({ filter, onFilter, currencies, hasAuthority, onRefresh, refreshing }: FilterBarProps) {
  const { t } = useLocalizer();
  /** The filter whose form is open, which may not filter yet, or no more. */
  const [edited, setEdited] = useState<Facet | null>(null);
  const [openedBy, setOpenedBy] = useState<"key" | "press" | null>(null);
  const bar = useRef<HTMLDivElement>(null);
  /** A button that removes filters goes with them, as an empty chip does, and the focus would fall to the body: the rest of the bar takes it. */
  const keepFocusInBar = () =>
    keepFocus(() => bar.current?.querySelector<HTMLElement>("[data-chip]") ?? bar.current?.querySelector("button") ?? null);
  const removeTo = (left: InvoiceFilter) => {
    onFilter(left);
    keepFocusInBar();
  };
  const shown = facets.filter((facet) => isActive(filter, facet) || facet === edited);
  const rest = facets.filter((facet) => !shown.includes(facet) && (hasAuthority || facet !== "submission"));
  useShortcut("filter", () => setOpenedBy("key"), rest.length > 0);
  return (
    <div ref={bar} className="flex min-h-10 shrink-0 flex-wrap items-center gap-2 border-line border-b px-3 py-1.5">
      <h1 className="me-2 font-semibold text-md">{t("invoices")}</h1>
      {shown.map((facet) => (
        <FacetChip
          key={facet}
          facet={facet}
          filter={filter}
          onFilter={onFilter}
          onRemove={() => removeTo(without(filter, facet))}
          currencies={currencies}
          opensAtOnce={facet === edited}
          onOpened={() => setEdited(facet)}
          onClosed={() => {
            setEdited(null);
            keepFocusInBar();
          }}
        />
      ))}
      {rest.length > 0 && (
        <MenuTrigger isOpen={openedBy !== null} onOpenChange={(isOpen) => setOpenedBy(isOpen ? "press" : null)}>
          <AriaButton
            {...(shown.length > 0 ? { "aria-label": t("add-filter") } : {})}
            className={`${chipClass} ${shown.length === 0 ? "" : "px-1.5"}`}
          >
            <Plus size={13} aria-hidden="true" />
            {shown.length === 0 && t("filter")}
          </AriaButton>
          <MenuPopover label={t("add-filter")} focusesFirst={openedBy === "key"}>
            {rest.map((facet) => (
              <MenuItem key={facet} id={facet} onAction={() => setEdited(facet)}>
                {t(`facet-${facet}`)}
              </MenuItem>
            ))}
          </MenuPopover>
        </MenuTrigger>
      )}
      {shown.length > 1 && (
        <Button variant="quiet" size="sm" onPress={() => removeTo(facets.reduce(without, filter))}>
          {t("clear-filters")}
        </Button>
      )}
      <span className="flex-1" />
      <IconButton
        label={t("refresh")}
        icon={<RefreshCw size={14} aria-hidden="true" className={refreshing ? "pulse" : ""} />}
        onPress={onRefresh}
      />
    </div>
  );
}

interface FacetChipProps {
  facet: Facet;
  filter: InvoiceFilter;
  onFilter: Dispatch<SetStateAction<InvoiceFilter>>;
  onRemove: () => void;
  currencies: readonly string[];
  opensAtOnce: boolean;
  onOpened: () => void;
  onClosed: () => void;
}

function FacetChip({ facet, filter, onFilter, onRemove, currencies, opensAtOnce, onOpened, onClosed }: FacetChipProps) {
  const { t } = useLocalizer();
  const text = useFacetText(filter, facet);
  const active = isActive(filter, facet);
  return (
    <span className="inline-flex max-w-full items-stretch">
      <DialogTrigger defaultOpen={opensAtOnce} onOpenChange={(open) => (open ? onOpened() : onClosed())}>
        <AriaButton data-chip="" className={`${active ? activeChipClass : chipClass} ${active ? "rounded-e-none pe-1.5" : ""}`}>
          {text}
        </AriaButton>
        {/* It is the dialog itself, and named by its chip. Around another dialog it would have the name and no role. */}
        <Popover placement="bottom start" className="fade-in rounded-md border border-line-strong bg-surface outline-none">
          <div className="max-h-[inherit] w-72 overflow-y-auto p-3">
            <FacetEditor facet={facet} filter={filter} onFilter={onFilter} currencies={currencies} />
          </div>
        </Popover>
      </DialogTrigger>
      {active && (
        <AriaButton
          aria-label={plainText(t("remove-filter", { filter: t(`facet-${facet}`) }))}
          onPress={onRemove}
          className="inline-flex min-h-6 w-6 shrink-0 items-center justify-center rounded-e-full bg-accent-soft text-accent data-[hovered]:text-accent-strong"
        >
          <X size={12} aria-hidden="true" />
        </AriaButton>
      )}
    </span>
  );
}
