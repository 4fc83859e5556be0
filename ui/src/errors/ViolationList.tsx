/** The violations of a refused request in words, each with its field, where the form with these fields is not open. */

import { fieldName, ruleMessage } from "../editor/fields";
import { useLocalizer } from "../i18n/LocalizerProvider";
import type { CommandError } from "../ipc/bindings";

/** Nothing, if the error has no violations. */
export function ViolationList({ error }: { error: CommandError }) {
  const localizer = useLocalizer();
  if (error.kind !== "invalidArgument") return null;
  return (
    <ul className="flex list-disc flex-col gap-0.5 ps-5">
      {error.violations.map((violation, index) => (
        // One rule can be broken twice at one place.
        // oxlint-disable-next-line react/no-array-index-key
        <li key={index}>
          {violation.field !== null && (
            <>
              <bdi>{fieldName(violation.field, localizer)}</bdi>
              {": "}
            </>
          )}
          {ruleMessage(violation, localizer)}
        </li>
      ))}
    </ul>
  );
}
