/** Why a document of a bulk run failed, or would fail, in words. */

import { describeError } from "../errors/table";
import { useErrorContext } from "../errors/useErrorContext";
import { ViolationList } from "../errors/ViolationList";
import { useLocalizer } from "../i18n/LocalizerProvider";
import type { CommandError } from "../ipc/bindings";

/** `number` is that of the document; empty if it has none. */
export function FailureText({ error, number }: { error: CommandError; number: string }) {
  const localizer = useLocalizer();
  const context = useErrorContext(error);
  const { text } = describeError(error, number === "" ? context : { ...context, number }, localizer);
  return (
    <div className="col-span-full max-narrow:w-full text-fg-2 text-xs">
      <p>{text}</p>
      {/* A run can have many of them: what leads on stands once, above the list. */}
      <ViolationList error={error} leadsOn={false} />
    </div>
  );
}
