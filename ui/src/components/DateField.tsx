/** Date field with editable segments and a calendar, in place of the native input. Values are ISO 8601 dates, or empty. */

import { CalendarDays, ChevronLeft, ChevronRight } from "lucide-react";
import { useRef, useState } from "react";
import {
  Button,
  Calendar,
  CalendarCell,
  CalendarGrid,
  CalendarGridBody,
  CalendarGridHeader,
  CalendarHeaderCell,
  DateInput,
  DatePicker,
  DateSegment,
  Dialog,
  Group,
  Heading,
  Popover,
} from "react-aria-components";
import { useLocalizer } from "../i18n/LocalizerProvider";
import { FieldErrorMessage, FieldLabel } from "./Field";
import { readDate } from "./readDate";
import { UnfinishedDate } from "./UnfinishedDate";
import { useDigitsOfLocale } from "./useDigitsOfLocale";

export interface DateFieldProps {
  label: string;
  name?: string;
  value: string;
  onChange: (date: string) => void;
  /**
   * Whether `onChange` also gets the text of what is no date yet, as a day without a month. Without it the value stays the date of before,
   * which the field shows no more.
   */
  keepsUnfinished?: boolean;
  isDisabled?: boolean;
  isInvalid?: boolean;
  isRequired?: boolean;
}

export function DateField({ label, value, onChange, keepsUnfinished = false, isRequired, ...props }: DateFieldProps) {
  const { t, direction } = useLocalizer();
  const segments = useRef<HTMLDivElement>(null);
  useDigitsOfLocale(segments);
  const [unfinished, setUnfinished] = useState<string | null>(null);
  // The parts of an unfinished date stay as they are typed: another date would take their place.
  const [shown, setShown] = useState(() => ({ value, date: readDate(value) }));
  if (value !== shown.value) setShown({ value, date: value === unfinished ? shown.date : readDate(value) });
  // When the field was left or a change was undone, its parts do not show what it holds.
  const held = keepsUnfinished && value !== "" && value !== unfinished && readDate(value) === null ? value : null;
  // A disabled field takes no parts: it shows the text as it was typed.
  const disabledText = props.isDisabled ? held : null;
  const onUnfinished = (text: string | null) => {
    if (!keepsUnfinished || text === unfinished) return;
    setUnfinished(text);
    // The picker tells of no date that is the one it had.
    const told = text ?? shown.date?.toString() ?? "";
    if (told !== value) onChange(told);
  };
  return (
    <DatePicker
      {...props}
      value={keepsUnfinished ? shown.date : readDate(value)}
      onChange={(date) => onChange(date?.toString() ?? "")}
      shouldForceLeadingZeros
      className="group/date flex min-w-0 flex-col gap-1 outline-none"
    >
      <FieldLabel isRequired={isRequired}>{label}</FieldLabel>
      <Group
        ref={segments}
        className="flex h-8 min-w-0 items-center rounded-md border border-control bg-surface data-[hovered]:border-fg-3 data-[invalid]:border-danger group-data-[disabled]/date:border-line group-data-[disabled]/date:bg-sunken outline-offset-1 outline-none has-[[role=spinbutton]:focus]:outline-2 has-[[role=spinbutton]:focus]:outline-focus has-[[role=spinbutton]:focus]:outline-solid"
      >
        <DateInput className="numeric flex min-w-0 flex-1 items-center overflow-hidden px-2 outline-none">
          {(segment) => (
            <>
              {disabledText === null && (
                <DateSegment
                  segment={segment}
                  className="rounded-sm px-px outline-none data-[focused]:bg-accent data-[focused]:text-accent-fg data-[placeholder]:text-fg-3"
                />
              )}
              {segment.type === "day" && disabledText}
              {segment.type === "day" && <UnfinishedDate held={held} onChange={onUnfinished} />}
            </>
          )}
        </DateInput>
        <Button
          aria-label={t("open-calendar")}
          className="inline-flex h-full w-7 shrink-0 items-center justify-center rounded-md text-fg-3 data-[hovered]:text-fg"
        >
          <CalendarDays size={14} aria-hidden="true" />
        </Button>
      </Group>
      <FieldErrorMessage />
      <Popover className="fade-in rounded-md border border-line-strong bg-surface">
        <Dialog dir={direction} className="max-h-[inherit] overflow-y-auto p-3 outline-none" aria-label={label}>
          <Calendar>
            <header className="mb-2 flex items-center justify-between">
              <Button
                slot="previous"
                className="inline-flex size-7 items-center justify-center rounded-md data-[hovered]:bg-sunken"
              >
                <ChevronLeft size={16} aria-hidden="true" className="mirror-in-rtl" />
              </Button>
              <Heading className="font-semibold" />
              <Button slot="next" className="inline-flex size-7 items-center justify-center rounded-md data-[hovered]:bg-sunken">
                <ChevronRight size={16} aria-hidden="true" className="mirror-in-rtl" />
              </Button>
            </header>
            <CalendarGrid weekdayStyle="short" className="border-separate border-spacing-0.5">
              <CalendarGridHeader>
                {(day) => <CalendarHeaderCell className="px-1 pb-1 font-normal text-2xs text-fg-3">{day}</CalendarHeaderCell>}
              </CalendarGridHeader>
              <CalendarGridBody>
                {(date) => (
                  <CalendarCell
                    date={date}
                    className="numeric flex size-8 items-center justify-center rounded-md data-[outside-month]:hidden data-[hovered]:bg-sunken data-[selected]:bg-accent data-[selected]:text-accent-fg data-[today]:font-bold data-[disabled]:text-fg-3"
                  />
                )}
              </CalendarGridBody>
            </CalendarGrid>
          </Calendar>
        </Dialog>
      </Popover>
    </DatePicker>
  );
}
