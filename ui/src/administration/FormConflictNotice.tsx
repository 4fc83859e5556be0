/** Says what somebody else has changed of what a form is about, since it was opened. */

import { Fragment } from "react";
import { Button } from "../components/Button";
import { Notice } from "../errors/Notice";
import { useLocalizer } from "../i18n/LocalizerProvider";
import type { FormConflict } from "./useMergedForm";

export function FormConflictNotice({
  conflict: { changes, takeTheirs },
  onTaken,
}: {
  conflict: FormConflict;
  /** The notice goes then, and with it the button that has the focus. */
  onTaken: () => void;
}) {
  const { t } = useLocalizer();
  const words = (value: string) => value || t("audit-value-none");
  const take = takeTheirs && (
    <Button
      size="sm"
      onPress={() => {
        takeTheirs();
        onTaken();
      }}
    >
      {t("keep-theirs")}
    </Button>
  );
  return (
    // Another conflict has the same text.
    <Notice severity="warning" variant="card" text={t("form-conflict")} about={JSON.stringify(changes)} buttons={take}>
      {/* There is none if the form does not show what was changed. */}
      {changes.length > 0 && (
        <dl className="grid grid-cols-[auto_minmax(0,1fr)] items-baseline gap-x-4 gap-y-1 text-xs">
          {changes.map(({ label, before, after, typed }) => (
            <Fragment key={label}>
              <dt>{label}</dt>
              <dd className="break-words">
                {t("audit-change", { before: words(before), after: words(after) })}
                {typed !== null && <span className="block">{t("form-conflict-typed", { value: words(typed) })}</span>}
              </dd>
            </Fragment>
          ))}
        </dl>
      )}
    </Notice>
  );
}
