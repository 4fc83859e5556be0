/** The views of the list as a row of buttons, with the actions on the user's own views. */

import { Bookmark, Columns3, Ellipsis } from "lucide-react";
import { Suspense, useEffect, useState } from "react";
import { Button as AriaButton, MenuTrigger, ToggleButton, ToggleButtonGroup } from "react-aria-components";
import { NameText } from "../components/BidiText";
import { Button, IconButton } from "../components/Button";
import { keepFocus } from "../components/keepFocus";
import { lazyComponent } from "../components/lazyComponent";
import { MenuItem, MenuPopover } from "../components/Menu";
import { isDialogOpen } from "../components/openDialogs";
import { matchesShortcut, typesWithAlt, useShortcut } from "../components/shortcuts";
import { useScrollableEnd } from "../components/useScrollableEnd";
import { ErrorNotice } from "../errors/ErrorNotice";
import { useLocalizer } from "../i18n/LocalizerProvider";
import { todayOf } from "../organizations/today";
import type { InvoiceFilter } from "../queries/invoicePages";
import { useNavigation } from "../state/navigation";
import { useWorkspace } from "../state/workspace";
import type { BuiltInView, ListView } from "./savedViews";
import { filterText, followedPeriods, isAsSaved, listViews, sameColumns, shownView } from "./savedViews";
import { useListSettings } from "./useListSettings";

const ColumnsDialog = lazyComponent(async () => (await import("./ColumnsDialog")).ColumnsDialog);
const ViewNameDialog = lazyComponent(async () => (await import("./ViewNameDialog")).ViewNameDialog);

export interface ViewsBarProps {
  filter: InvoiceFilter;
  hasAuthority: boolean;
  onFilter: (filter: InvoiceFilter) => void;
}

export function ViewsBar({ filter, hasAuthority, onFilter }: ViewsBarProps) {
  const { t } = useLocalizer();
  const { organization } = useWorkspace();
  const { settings, change, error } = useListSettings();
  const [naming, setNaming] = useState<"new" | ListView | null>(null);
  const [choosingColumns, setChoosingColumns] = useState(false);
  const [last, setLast] = useState("all");
  const navigation = useNavigation();
  const search = navigation.search.trim();
  const today = todayOf(organization);
  const views = listViews(settings.views, today, hasAuthority);
  const shown = { filter, search, columns: settings.columns };
  const current = shownView(views, shown, last);
  const selected = current ?? views.find(({ id }) => id === last);
  const own = selected?.name === null ? undefined : selected;
  const edited = own && !isAsSaved(own, shown) ? own : undefined;
  const open = (view: ListView | undefined) => {
    if (!view) return;
    setLast(view.id);
    // What was typed is searched in every view; what came with a view goes with it.
    if (view.search !== "" || (search !== "" && selected?.search === search)) navigation.setSearch(view.search);
    // A view of the user has columns, if only the usual ones. A built-in view keeps those that are shown.
    if (view.name !== null && !sameColumns(view.columns, settings.columns)) change(() => ({ columns: [...view.columns] }));
    onFilter(view.filter);
  };
  useViewShortcuts(views, open);
  const bar = useScrollableEnd(current?.id, views.length);
  useShortcut("columns", () => setChoosingColumns(true));
  const save = (name: string) => {
    const view = { name, filter: filterText(filter, search, today), columns: settings.columns };
    if (naming === "new") {
      const id = crypto.randomUUID();
      setLast(id);
      change((kept) => ({ views: [...kept.views, { id, ...view }] }));
    } else if (naming) {
      change((kept) => ({ views: kept.views.map((each) => (each.id === naming.id ? { ...each, name } : each)) }));
    }
    setNaming(null);
    // The button that has opened the dialog goes once the view is saved.
    keepFocus(() => bar.current?.querySelector<HTMLElement>("[aria-checked=true]") ?? null);
  };
  const update = (id: string) =>
    change((kept) => ({
      views: kept.views.map((each) =>
        each.id === id ? { ...each, filter: filterText(filter, search, today), columns: settings.columns } : each,
      ),
    }));
  return (
    <div className="flex min-h-9 shrink-0 items-center gap-2 border-line border-b bg-sunken px-3">
      <ToggleButtonGroup
        aria-label={t("views")}
        selectionMode="single"
        selectedKeys={current ? [current.id] : []}
        onSelectionChange={(keys) => {
          const [key] = keys;
          // The button of the current view opens it again: there is no state without a view to go to.
          open(views.find(({ id }) => id === (key ?? current?.id)));
        }}
        ref={bar}
        className="views-bar flex min-w-0 items-center gap-1 overflow-x-auto"
      >
        {views.map((view) => (
          <ToggleButton
            key={view.id}
            id={view.id}
            className="inline-flex min-h-6 shrink-0 items-center gap-1 whitespace-nowrap rounded-md px-2 text-fg-2 data-[hovered]:text-fg data-[selected]:bg-surface data-[selected]:font-semibold data-[selected]:text-accent"
          >
            {view.name === null ? t(`view-${view.id as BuiltInView}`) : <NameText>{view.name}</NameText>}
            {view === edited && <span className="text-fg-3 text-xs">{t("view-edited")}</span>}
          </ToggleButton>
        ))}
      </ToggleButtonGroup>
      {!(current && isAsSaved(current, shown)) && (
        <Button size="sm" variant="quiet" icon={<Bookmark size={13} aria-hidden="true" />} onPress={() => setNaming("new")}>
          {t("view-save")}
        </Button>
      )}
      {own && (
        <MenuTrigger>
          <AriaButton
            aria-label={t("view-actions", { view: own.name ?? "" })}
            className="inline-flex size-6 shrink-0 items-center justify-center rounded-md text-fg-2 data-[hovered]:bg-surface data-[hovered]:text-fg"
          >
            <Ellipsis size={14} aria-hidden="true" />
          </AriaButton>
          <MenuPopover label={t("view-actions", { view: own.name ?? "" })}>
            {edited && <MenuItem onAction={() => update(edited.id)}>{t("view-update")}</MenuItem>}
            <MenuItem onAction={() => setNaming(own)}>{t("view-rename")}</MenuItem>
            <MenuItem
              onAction={() => {
                change((kept) => ({ views: kept.views.filter(({ id }) => id !== own.id) }));
                // The button of this menu goes with the view.
                keepFocus(() => bar.current?.querySelector<HTMLElement>("button") ?? null);
              }}
            >
              {t("view-delete")}
            </MenuItem>
          </MenuPopover>
        </MenuTrigger>
      )}
      {error && <ErrorNotice error={error} variant="inline" />}
      <span className="flex-1" />
      <IconButton
        label={t("columns")}
        icon={<Columns3 size={14} aria-hidden="true" />}
        onPress={() => setChoosingColumns(true)}
      />
      <Suspense fallback={null}>
        {choosingColumns && (
          <ColumnsDialog
            settings={settings.columns}
            hasAuthority={hasAuthority}
            onChange={(columns) => change(() => ({ columns }))}
            onClose={() => setChoosingColumns(false)}
          />
        )}
        {naming && (
          <ViewNameDialog
            name={naming === "new" ? "" : (naming.name ?? "")}
            periods={naming === "new" ? followedPeriods(filter, today) : []}
            onSave={save}
            onClose={() => setNaming(null)}
          />
        )}
      </Suspense>
    </div>
  );
}

/** Alt+1 to Alt+9 open the first nine views. */
function useViewShortcuts(views: readonly ListView[], open: (view: ListView | undefined) => void) {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (isDialogOpen() || typesWithAlt(event)) return;
      const view = views.slice(0, 9).find((_, index) => matchesShortcut(event, `Alt+${index + 1}`));
      if (!view) return;
      event.preventDefault();
      open(view);
    };
    window.addEventListener("keydown", onKeyDown);
    return () => window.removeEventListener("keydown", onKeyDown);
  });
}
