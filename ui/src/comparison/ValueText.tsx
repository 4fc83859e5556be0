/** A value of a change or conflict as it is shown: isolated, and a word for an empty one. */

import { useLocalizer } from "../i18n/LocalizerProvider";
import type { Subject } from "./changes";
import { valueText } from "./partText";

/** What a part of a text begins with that keeps its own direction. */
const ISOLATED = "\u2068";

export function ValueText({ subject, value, currency }: { subject: Subject; value: unknown; currency: string }) {
  const localizer = useLocalizer();
  const text = valueText(subject, value, currency, localizer);
  if (text !== "") {
    return (
      // Isolated parts say nothing of the direction of the whole, which is that of the window.
      <bdi dir={text.includes(ISOLATED) ? localizer.direction : "auto"} className="numeric break-words">
        {text}
      </bdi>
    );
  }
  return <span className="text-fg-3">{localizer.t(subject.of === "line" ? "no-line" : "empty-value")}</span>;
}
