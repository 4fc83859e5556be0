/** A value of a change or conflict as it is shown: isolated, and a word for an empty one. */

import { useLocalizer } from "../i18n/LocalizerProvider";
import type { Subject } from "./changes";
import { valueText } from "./partText";

export function ValueText({ subject, value, currency }: { subject: Subject; value: unknown; currency: string }) {
  const localizer = useLocalizer();
  const text = valueText(subject, value, currency, localizer);
  if (text !== "") {
    return (
      <bdi dir="auto" className="numeric break-words">
        {text}
      </bdi>
    );
  }
  return <span className="text-fg-3">{localizer.t(subject.of === "line" ? "no-line" : "empty-value")}</span>;
}
