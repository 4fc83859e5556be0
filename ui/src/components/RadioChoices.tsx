/** A choice of one out of few, all of them visible. */

import type { ReactNode } from "react";
import { Radio, RadioGroup, Text } from "react-aria-components";
import { FieldLabel } from "./Field";

export interface RadioChoice<T extends string> {
  id: T;
  label: ReactNode;
  /** Shown in front of the label. */
  sample?: ReactNode;
}

export function RadioChoices<T extends string>({
  label,
  hint,
  value,
  choices,
  onChange,
}: {
  label: string;
  hint?: string;
  value: T;
  choices: readonly RadioChoice<T>[];
  onChange: (value: T) => void;
}) {
  return (
    <RadioGroup value={value} onChange={(chosen) => onChange(chosen as T)} className="flex min-w-0 flex-col gap-1.5">
      <FieldLabel>{label}</FieldLabel>
      <div className="flex flex-wrap gap-2">
        {choices.map((choice) => (
          <Radio
            key={choice.id}
            value={choice.id}
            className="flex min-h-8 items-center gap-2 rounded-md border border-line-strong bg-surface px-3 data-[hovered]:border-control data-[selected]:border-accent data-[selected]:bg-accent-soft data-[selected]:font-semibold"
          >
            {choice.sample}
            {choice.label}
          </Radio>
        ))}
      </div>
      {hint && (
        <Text slot="description" className="text-fg-2 text-xs">
          {hint}
        </Text>
      )}
    </RadioGroup>
  );
}
