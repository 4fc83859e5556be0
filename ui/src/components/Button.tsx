/** Buttons: `primary` once per view, `secondary` by default, `quiet` inside controls, `danger` for irreversible actions. */

import type { ReactNode } from "react";
import { Button as AriaButton, type ButtonProps as AriaProps } from "react-aria-components";
import { Kbd } from "./Kbd";
import { ariaKeyShortcuts, type ShortcutId, useShortcutKeys } from "./shortcuts";

export interface ButtonProps extends Omit<AriaProps, "className" | "style" | "children" | "isPending"> {
  variant?: "primary" | "secondary" | "quiet" | "danger";
  size?: "md" | "sm";
  shortcut?: ShortcutId;
  icon?: ReactNode;
  /** Stands for the text where the container, a row of actions, is narrow. */
  narrowIcon?: ReactNode;
  children?: ReactNode;
  /**
   * Its work is under way: pressing it does nothing, and it keeps the focus, which a disabled button loses. `isPending` of React Aria
   * announces the button by its id, which leads nowhere once its dialog is closed.
   */
  isBusy?: boolean;
}

const base =
  "inline-flex max-w-full shrink-0 items-center justify-center gap-2 whitespace-nowrap max-narrow:whitespace-normal rounded-md border font-semibold transition-colors duration-100 disabled:cursor-default disabled:opacity-50 aria-disabled:opacity-60";

const variants = {
  primary: "border-transparent bg-accent text-accent-fg data-[hovered]:bg-accent-strong data-[pressed]:bg-accent-strong",
  secondary: "border-line-strong bg-surface text-fg data-[hovered]:bg-sunken data-[pressed]:bg-sunken",
  quiet: "border-transparent text-fg-2 data-[hovered]:bg-sunken data-[hovered]:text-fg data-[pressed]:bg-sunken",
  danger: "border-transparent bg-danger text-danger-fg data-[hovered]:opacity-90 data-[pressed]:opacity-90",
};

export function Button({
  variant = "secondary",
  size = "md",
  shortcut,
  icon,
  narrowIcon,
  children,
  isBusy = false,
  ...props
}: ButtonProps) {
  const keys = useShortcutKeys(shortcut);
  const height = size === "md" ? "min-h-8 px-3" : "min-h-6 px-2 text-xs";
  const narrow = narrowIcon === undefined ? "" : "@max-[720px]:px-1";
  return (
    <AriaButton
      {...props}
      {...(keys ? { "aria-keyshortcuts": ariaKeyShortcuts(keys) } : {})}
      {...(isBusy ? { "aria-disabled": true, onPress: () => undefined } : {})}
      className={`${base} ${variants[variant]} ${height} ${narrow}`}
    >
      {icon}
      {narrowIcon === undefined ? (
        children
      ) : (
        <>
          <span className="@max-[720px]:block hidden">{narrowIcon}</span>
          <span className="@max-[720px]:sr-only">{children}</span>
        </>
      )}
      {keys && <Kbd keys={keys} variant={variant === "primary" || variant === "danger" ? "onAccent" : "quiet"} />}
    </AriaButton>
  );
}

export interface IconButtonProps extends Omit<AriaProps, "className" | "style" | "children"> {
  label: string;
  icon: ReactNode;
  /** Another step has no effect. A button that is disabled loses the focus, and the next key would be lost. */
  isAtLimit?: boolean;
}

/** A square icon button with an accessible name. */
export function IconButton({ label, icon, isAtLimit = false, ...props }: IconButtonProps) {
  return (
    <AriaButton
      {...props}
      {...(isAtLimit ? { "aria-disabled": true } : {})}
      aria-label={label}
      className="inline-flex size-7 shrink-0 items-center justify-center rounded-md text-fg-2 transition-colors duration-100 data-[hovered]:bg-sunken data-[hovered]:text-fg aria-pressed:bg-accent-soft aria-pressed:text-accent disabled:opacity-40 aria-disabled:opacity-40"
    >
      {icon}
    </AriaButton>
  );
}
