/** Changes of a document: what was changed, its value before and after. */

import { ArrowRight } from "lucide-react";
import { NameText } from "../components/BidiText";
import { useLocalizer } from "../i18n/LocalizerProvider";
import { localizedText } from "../i18n/localizedText";
import type { Change, Subject } from "./changes";
import { subjectId } from "./changes";
import { subjectName } from "./partText";
import { ValueText } from "./ValueText";

export function ChangeList({ changes, currency }: { changes: readonly Change[]; currency: string }) {
  const { t } = useLocalizer();
  return (
    <dl className="flex flex-col">
      {changes.map(({ subject, before, after }) => (
        <div key={`${subjectId(subject)} ${after === undefined}`} className="border-line border-b py-1.5 last:border-b-0">
          <dt className="text-fg-2 text-xs">
            <SubjectName subject={subject} />
          </dt>
          {subject.of === "line" ? (
            <dd className="flex flex-wrap items-baseline gap-x-2">
              <span className="text-fg-2 text-xs">{t(after === undefined ? "line-was-removed" : "line-was-added")}</span>
              <ValueText subject={subject} value={after ?? before} currency={currency} />
            </dd>
          ) : (
            <dd className="flex flex-wrap items-baseline gap-x-2">
              <del className="min-w-0 text-fg-2 decoration-fg-3">
                <ValueText subject={subject} value={before} currency={currency} />
              </del>
              <ArrowRight size={12} aria-hidden="true" className="mirror-in-rtl shrink-0 self-center text-fg-3" />
              <ins className="min-w-0 no-underline">
                <ValueText subject={subject} value={after} currency={currency} />
              </ins>
            </dd>
          )}
        </div>
      ))}
    </dl>
  );
}

/** The name of what was changed; of a cell also what its line is about. */
export function SubjectName({ subject }: { subject: Subject }) {
  const localizer = useLocalizer();
  const line = subject.of === "cell" ? localizedText(subject.line.line.description, localizer.language) : "";
  return (
    <>
      {subjectName(subject, localizer)}
      {line !== "" && (
        <>
          {" "}
          <span className="text-fg-3">
            (<NameText>{line}</NameText>)
          </span>
        </>
      )}
    </>
  );
}
