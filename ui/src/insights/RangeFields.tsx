/** The first and the last day of the reports. Until both are right, the reports are those of the days before, and name them. */

import { useState } from "react";
import { Form } from "react-aria-components";
import { DateField } from "../components/DateField";
import { useLocalizer } from "../i18n/LocalizerProvider";
import { hasProblem, MAX_MONTHS, type Period, type RangeProblem, rangeProblems } from "./periods";

export interface RangeFieldsProps {
  /** The days to begin with. */
  range: Period;
  /** Gets days that are right. */
  onChange: (range: Period) => void;
}

const ends = ["from", "to"] as const;

export function RangeFields({ range, onChange }: RangeFieldsProps) {
  const { t, format } = useLocalizer();
  const [typed, setTyped] = useState(range);
  const problems = rangeProblems(typed);
  const change = (end: keyof Period, day: string) => {
    const next = { ...typed, [end]: day };
    setTyped(next);
    if (!hasProblem(next)) onChange(next);
  };
  const words: Record<RangeProblem, string> = {
    missing: t("value-needed"),
    noDate: t("rule-INV-DATE"),
    reversed: t("period-reversed"),
    tooLong: t("period-too-long", { months: format.integer(MAX_MONTHS) }),
  };
  const messages = ends.flatMap((end) => {
    const problem = problems[end];
    return problem ? [[end, words[problem]] as const] : [];
  });
  return (
    <Form
      validationBehavior="aria"
      validationErrors={Object.fromEntries(messages)}
      onSubmit={(event) => event.preventDefault()}
      className="flex flex-wrap gap-3 print:hidden"
    >
      {ends.map((end) => (
        <div key={end} className="w-48">
          <DateField
            label={t(end)}
            name={end}
            value={typed[end]}
            onChange={(day) => change(end, day)}
            keepsUnfinished
            isRequired
          />
        </div>
      ))}
    </Form>
  );
}
