/** The three limits of a plan or a tenant. An empty field does not limit. */

import { TextField } from "../components/Field";
import { useLocalizer } from "../i18n/LocalizerProvider";
import type { LimitTexts } from "./limitTexts";
import { limitNames, readLimit } from "./limitTexts";

export function LimitFields({ value, onChange }: { value: LimitTexts; onChange: (value: LimitTexts) => void }) {
  const { t } = useLocalizer();
  return (
    <div data-limits="" className="grid grid-cols-3 gap-3 max-narrow:grid-cols-1">
      {limitNames.map((name) => (
        <TextField
          key={name}
          label={t(`limit-${name}`)}
          value={value[name]}
          onChange={(text) => onChange({ ...value, [name]: text })}
          validate={(text) => (readLimit(text) === undefined ? t("limit-invalid") : null)}
          // While it is typed: a message that goes when the field is left would move the button under the pointer.
          validationBehavior="aria"
          numeric
        />
      ))}
    </div>
  );
}

/** Leads to the limit that keeps a form from being saved. */
export function focusWrongLimit(): void {
  document.querySelector<HTMLElement>('[data-limits] [aria-invalid="true"]')?.focus();
}
