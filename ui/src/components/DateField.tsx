/** Date field with editable segments and a calendar, in place of the native input. Values are ISO 8601 dates, or empty. */

import { CalendarDate, parseDate } from "@internationalized/date";
import { CalendarDays, ChevronLeft, ChevronRight } from "lucide-react";
import { useRef } from "react";
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
import { useDigitsOfLocale } from "./useDigitsOfLocale";

export interface DateFieldProps {
  label: string;
  name?: string;
  value: string;
  onChange: (date: string) => void;
  isDisabled?: boolean;
  isInvalid?: boolean;
  isRequired?: boolean;
}

export function DateField({ label, value, onChange, isRequired, ...props }: DateFieldProps) {
  const { t, direction } = useLocalizer();
  const segments = useRef<HTMLDivElement>(null);
  useDigitsOfLocale(segments);
  return (
    <DatePicker
      {...props}
      value={readDate(value)}
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
            <DateSegment
              segment={segment}
              className="rounded-sm px-px outline-none data-[focused]:bg-accent data-[focused]:text-accent-fg data-[placeholder]:text-fg-3"
            />
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
        <Dialog dir={direction} className="p-3 outline-none" aria-label={label}>
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

/** The date, or `null` if the value is empty or not a date. */
function readDate(value: string): CalendarDate | null {
  try {
    return value === "" ? null : parseDate(value);
  } catch {
    return null;
  }
}
