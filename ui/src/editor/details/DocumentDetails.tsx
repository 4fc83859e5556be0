/** The groups of rarely used fields of the document, folded below the header. */

import { memo, useId, useState } from "react";
import { useLocalizer } from "../../i18n/LocalizerProvider";
import type { FieldError } from "../fields";
import { DocumentGroupFields, type DocumentGroupFieldsProps } from "./DocumentGroupFields";
import { type DocumentGroup, documentGroups, groupOf } from "./detailFields";
import { Fold } from "./Fold";
import { factTexts, groupFacts } from "./facts";
import { useUnfolded } from "./useUnfolded";

interface DocumentDetailsProps extends Omit<DocumentGroupFieldsProps, "group"> {
  fieldErrors: readonly FieldError[];
}

/** The fold of all groups. */
const ALL = "document";

export const DocumentDetails = memo(function DocumentDetails(props: DocumentDetailsProps) {
  const { details, fieldErrors } = props;
  const localizer = useLocalizer();
  const { t } = localizer;
  const id = useId();
  const [heldAtFirst] = useState(() => {
    const held = documentGroups.filter((group) => groupFacts(details, group, localizer).length > 0);
    return new Set<string>(held.length > 0 ? [ALL, ...held] : []);
  });
  const { isOpen, setOpen } = useUnfolded(heldAtFirst);
  const errorsOf = (group: DocumentGroup) => fieldErrors.filter(({ field }) => field !== null && groupOf(field) === group).length;
  const groups = documentGroups.map((group) => ({
    group,
    held: factTexts(groupFacts(details, group, localizer)),
    errors: errorsOf(group),
  }));
  const errors = groups.reduce((sum, group) => sum + group.errors, 0);
  const open = isOpen(ALL, errors);
  return (
    <section aria-label={t("more-document")} className="flex flex-col rounded-md border border-line bg-surface p-1">
      <Fold
        label={t("more-document")}
        controls={id}
        held={groups.flatMap(({ held }) => held)}
        errors={errors}
        isOpen={open}
        onOpenChange={(wanted) => setOpen(ALL, wanted)}
      />
      {open && (
        <div id={id} className="flex flex-col border-line border-t pt-1">
          {groups.map(({ group, held, errors: mistakes }) => {
            const shown = isOpen(group, mistakes);
            return (
              <div key={group} className="flex flex-col">
                <Fold
                  label={t(`group-${group}`)}
                  controls={`${id}-${group}`}
                  held={held}
                  errors={mistakes}
                  isOpen={shown}
                  onOpenChange={(wanted) => setOpen(group, wanted)}
                />
                {shown && (
                  <div id={`${id}-${group}`} role="group" aria-label={t(`group-${group}`)} className="px-3 pt-1 pb-3">
                    <DocumentGroupFields {...props} group={group} />
                  </div>
                )}
              </div>
            );
          })}
        </div>
      )}
    </section>
  );
});
