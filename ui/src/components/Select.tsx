/** Single selection from a short list. */

import { Check, ChevronDown } from "lucide-react";
import type { ReactNode } from "react";
import { Select as AriaSelect, Button, ListBox, ListBoxItem, Popover, SelectValue } from "react-aria-components";
import { useLocalizer } from "../i18n/LocalizerProvider";
import { FieldErrorMessage, FieldLabel } from "./Field";

export interface Choice<T extends string> {
  id: T;
  label: string;
  /** Secondary text behind the label. */
  detail?: string;
}

export interface SelectProps<T extends string> {
  label: string;
  /** Uses the label as `aria-label` only. */
  labelHidden?: boolean;
  name?: string;
  value: T;
  choices: readonly Choice<T>[];
  onChange: (value: T) => void;
  isDisabled?: boolean;
  isInvalid?: boolean;
  isRequired?: boolean;
  /** Replaces the label in the closed field, where space is scarce. */
  short?: ReactNode;
  /** The id of what says why it is invalid, where this stands elsewhere: with a hidden label there are no words below the field. */
  "aria-describedby"?: string | undefined;
}

export function Select<T extends string>({
  label,
  labelHidden = false,
  value,
  choices,
  onChange,
  short,
  isRequired,
  ...props
}: SelectProps<T>) {
  const { t } = useLocalizer();
  return (
    <AriaSelect
      {...props}
      {...(labelHidden ? { "aria-label": label } : {})}
      value={value}
      onChange={(key) => {
        if (key !== null) onChange(key as T);
      }}
      className="group/select flex min-w-0 flex-col gap-1 outline-none"
    >
      {!labelHidden && <FieldLabel isRequired={isRequired}>{label}</FieldLabel>}
      {/* In a table or a bar, where its label is hidden, it is one line high. In a form a long name wraps. */}
      <Button
        className={`flex ${labelHidden ? "h-8" : "min-h-8 py-0.5"} w-full min-w-0 items-center justify-between gap-1 rounded-md border border-control bg-surface px-2 text-start data-[hovered]:border-fg-3 group-data-[invalid]/select:border-danger data-[disabled]:border-line data-[disabled]:bg-sunken`}
      >
        <SelectValue className={`min-w-0 flex-1 ${labelHidden ? "truncate" : "break-words"}`}>
          {({ selectedText }) => short ?? (selectedText || <span className="text-fg-3">{t("choose")}</span>)}
        </SelectValue>
        <ChevronDown size={14} aria-hidden="true" className="shrink-0 text-fg-3" />
      </Button>
      {!labelHidden && <FieldErrorMessage />}
      <Popover className="fade-in min-w-(--trigger-width) rounded-md border border-line-strong bg-surface">
        <ListBox className="max-h-80 overflow-y-auto p-1 outline-none">
          {choices.map((choice) => (
            <ListBoxItem
              key={choice.id}
              id={choice.id}
              textValue={choice.label}
              className="flex min-h-8 items-center gap-2 rounded-sm px-2 outline-none data-[focused]:bg-sunken"
            >
              {({ isSelected }) => (
                <>
                  <span className="inline-flex w-4 justify-center text-accent">
                    {isSelected && <Check size={14} aria-hidden="true" />}
                  </span>
                  <span className="flex-1">{choice.label}</span>
                  {choice.detail && <span className="text-fg-3 text-xs">{choice.detail}</span>}
                </>
              )}
            </ListBoxItem>
          ))}
        </ListBox>
      </Popover>
    </AriaSelect>
  );
}
