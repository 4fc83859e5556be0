/** When a template makes drafts. The next dates are shown before it is saved. */

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Form } from "react-aria-components";
import { Button } from "../components/Button";
import { DateField } from "../components/DateField";
import { DiscardQuestionText } from "../components/DiscardQuestionText";
import { toIsoDate } from "../components/isoDate";
import { readDate } from "../components/readDate";
import { Select } from "../components/Select";
import { type FormDiscardQuestion, useTypedInForm } from "../components/useDiscardQuestion";
import { useLocalizer } from "../i18n/LocalizerProvider";
import type { BilledPeriod, Frequency, Schedule } from "../ipc/bindings";
import { commands } from "../ipc/call";
import { todayOf } from "../organizations/today";
import { withBinding } from "../state/withBinding";
import { useWorkspace } from "../state/workspace";

const FREQUENCIES: readonly Frequency[] = ["monthly", "quarterly", "yearly", "weekly"];
const PERIODS: readonly BilledPeriod[] = ["current", "previous", "none"];
const FIELDS = ["frequency", "day", "from", "until", "period"] as const satisfies readonly (keyof Schedule)[];
const DAYS = Array.from({ length: 31 }, (_, index) => index + 1);
const LAST_DAY = "last";

export interface ScheduleFormProps {
  schedule: Schedule | null;
  /** Of the dialog that it is in. */
  question: FormDiscardQuestion;
  onSave: (schedule: Schedule | null) => void;
  onClose: () => void;
}

export function ScheduleForm({ schedule, question, onSave, onClose }: ScheduleFormProps) {
  const { t, format } = useLocalizer();
  const { organization } = useWorkspace();
  const [opened] = useState<Schedule>(
    () => schedule ?? { frequency: "monthly", day: 1, from: toIsoDate(todayOf(organization)), until: "", period: "current" },
  );
  const [typed, setTyped] = useState(opened);
  useTypedInForm(
    FIELDS.some((field) => typed[field] !== opened[field]),
    question,
  );
  const { asking, keep, leave } = question;
  const change = (part: Partial<Schedule>) => {
    keep();
    setTyped({ ...typed, ...part });
  };
  // A date that is typed in part is no date, and the one of before is not meant. It is said once somebody saves, and follows the input.
  const wrong = (["from", "until"] as const).filter(
    (name) => (name === "from" || typed[name] !== "") && readDate(typed[name]) === null,
  );
  const isComplete = wrong.length === 0;
  const messages = wrong.map((name) => [name, t(typed[name] === "" ? "value-needed" : "rule-INV-DATE")] as const);
  const [refused, setRefused] = useState(false);
  const dates = useQuery({
    queryKey: [organization.id, "schedule", typed] as const,
    queryFn: () => withBinding(organization.id, (binding) => commands.scheduleDates(binding, typed)),
    enabled: isComplete,
    gcTime: 0,
  });
  return (
    <Form
      validationBehavior="aria"
      validationErrors={refused ? Object.fromEntries(messages) : {}}
      className="flex flex-col gap-3 rounded-md border border-line bg-canvas p-3"
      onSubmit={(event) => {
        event.preventDefault();
        setRefused(true);
        keep();
        if (isComplete) onSave(typed);
      }}
    >
      <div className="grid grid-cols-2 gap-3 max-narrow:grid-cols-1">
        <Select
          label={t("schedule-frequency")}
          value={typed.frequency}
          choices={FREQUENCIES.map((id) => ({ id, label: t(`frequency-${id}`) }))}
          onChange={(frequency) => change({ frequency })}
        />
        {typed.frequency !== "weekly" && (
          <Select
            label={t("schedule-day")}
            value={typed.day === null ? LAST_DAY : String(typed.day)}
            choices={[
              { id: LAST_DAY, label: t("schedule-last-day") },
              ...DAYS.map((day) => ({ id: String(day), label: format.integer(day) })),
            ]}
            onChange={(day) => change({ day: day === LAST_DAY ? null : Number(day) })}
          />
        )}
        <DateField
          label={t("schedule-from")}
          name="from"
          value={typed.from}
          onChange={(from) => change({ from })}
          keepsUnfinished
          isRequired
        />
        <DateField
          label={t("schedule-until")}
          name="until"
          value={typed.until}
          onChange={(until) => change({ until })}
          keepsUnfinished
        />
        <Select
          label={t("schedule-period")}
          value={typed.period}
          choices={PERIODS.map((id) => ({ id, label: t(`period-${id}`) }))}
          onChange={(period) => change({ period })}
        />
      </div>
      <p role="status" className="numeric text-fg-2">
        {dates.data &&
          (dates.data.length === 0
            ? t("schedule-no-dates")
            : t("schedule-dates", { dates: format.list(dates.data.map((date) => format.date(date))) }))}
      </p>
      <p className="text-fg-2 text-xs">{t("schedule-hint")}</p>
      {asking && <DiscardQuestionText />}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" variant="primary">
          {t("schedule-save")}
        </Button>
        {schedule && <Button onPress={() => onSave(null)}>{t("schedule-remove")}</Button>}
        <Button onPress={() => leave(onClose)}>{t(asking ? "form-discard" : "cancel")}</Button>
      </div>
    </Form>
  );
}
