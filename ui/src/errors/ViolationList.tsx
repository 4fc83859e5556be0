/** The violations of a refused request in words, each with its field, where the form with these fields is not open. */

import { fieldName, isAboutSeller, ruleMessage } from "../editor/fields";
import { useLocalizer } from "../i18n/LocalizerProvider";
import type { CommandError } from "../ipc/bindings";
import { OwnTenantHint } from "./OwnTenantHint";

/** Nothing, if the error has no violations. `leadsOn`: also to where those of the seller are mended. */
export function ViolationList({ error, leadsOn = true }: { error: CommandError; leadsOn?: boolean }) {
  const localizer = useLocalizer();
  if (error.kind !== "invalidArgument") return null;
  const list = (
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
  if (!leadsOn || !isAboutSeller(error)) return list;
  return (
    <div className="flex flex-col gap-2">
      {list}
      <OwnTenantHint />
    </div>
  );
}
