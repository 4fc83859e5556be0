/** Menus in a popover, with sections, check marks and shortcuts. */

import { Check } from "lucide-react";
import { type ReactNode, useId } from "react";
import {
  MenuItem as AriaItem,
  Menu as AriaMenu,
  MenuSection as AriaSection,
  Header,
  type MenuItemProps,
  Popover,
  type PopoverProps,
  Separator,
} from "react-aria-components";
import { Kbd } from "./Kbd";
import { type ShortcutId, useShortcutKeys } from "./shortcuts";

export function MenuPopover({
  children,
  label,
  focusesFirst = false,
  ...props
}: Omit<PopoverProps, "children" | "className"> & {
  children: ReactNode;
  label: string;
  /** Whether the first item has the focus, as in a menu that a key has opened. */
  focusesFirst?: boolean;
}) {
  return (
    <Popover {...props} className="fade-in min-w-56 rounded-md border border-line-strong bg-surface">
      <AriaMenu
        aria-label={label}
        {...(focusesFirst ? { autoFocus: "first" } : {})}
        className="max-h-[inherit] overflow-y-auto p-1 outline-none"
      >
        {children}
      </AriaMenu>
    </Popover>
  );
}

export function MenuItem({
  children,
  shortcut,
  icon,
  ...props
}: Omit<MenuItemProps, "className" | "children"> & { children: ReactNode; shortcut?: ShortcutId; icon?: ReactNode }) {
  const keys = useShortcutKeys(shortcut);
  const keysId = useId();
  return (
    <AriaItem
      {...props}
      // React Aria gives a menu item no `aria-keyshortcuts`.
      {...(keys ? { "aria-describedby": keysId } : {})}
      className="flex min-h-8 items-center gap-2 rounded-sm px-2 text-fg outline-none data-[focused]:bg-sunken data-[disabled]:text-fg-3"
    >
      {({ selectionMode, isSelected }) => (
        <>
          {selectionMode !== "none" && (
            <span className="inline-flex w-4 justify-center text-accent">
              {isSelected && <Check size={14} aria-hidden="true" />}
            </span>
          )}
          {icon && <span className="inline-flex w-4 justify-center text-fg-2">{icon}</span>}
          <span className="min-w-0 flex-1 truncate">{children}</span>
          {keys && <Kbd keys={keys} id={keysId} />}
        </>
      )}
    </AriaItem>
  );
}

export function MenuSection<T extends string>({
  title,
  value,
  onChange,
  children,
}: {
  title: string;
  /** With a value, the section has single selection. */
  value?: T;
  onChange?: (value: T) => void;
  children: ReactNode;
}) {
  const choice = value !== undefined && onChange !== undefined;
  return (
    <AriaSection
      {...(choice
        ? {
            selectionMode: "single" as const,
            disallowEmptySelection: true,
            selectedKeys: [value],
            onSelectionChange: (keys) => {
              const [key] = keys === "all" ? [] : keys;
              if (key !== undefined) onChange(key as T);
            },
          }
        : {})}
    >
      <Header className="px-2 pt-2 pb-1 font-semibold text-2xs text-fg-3">{title}</Header>
      {children}
    </AriaSection>
  );
}

export function MenuSeparator() {
  return <Separator className="my-1 border-line border-t" />;
}
