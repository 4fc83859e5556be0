/** The messages of a tax authority, unchanged, each with the name of the field that it is about. */

import { fieldName } from "../editor/fields";
import { useLocalizer } from "../i18n/LocalizerProvider";
import type { Violation } from "../ipc/bindings";
import { messageText } from "./messageText";

export function AuthorityMessages({
  messages,
  onGo,
}: {
  messages: readonly Violation[];
  /** Moves the focus to a field. Without it the names are no links. */
  onGo?: (field: string) => void;
}) {
  const localizer = useLocalizer();
  return (
    <ul className="flex list-disc flex-col gap-0.5 ps-5">
      {messages.map((message) => {
        const { field } = message;
        const name = field === null ? null : <bdi>{fieldName(field, localizer)}</bdi>;
        return (
          <li key={message.path + message.rule + message.description}>
            {name && field !== null && onGo ? (
              <button
                type="button"
                onClick={() => onGo(field)}
                className="min-h-6 rounded-sm underline underline-offset-2 hover:no-underline"
              >
                {name}
              </button>
            ) : (
              name
            )}
            {name && ": "}
            <span dir="auto" data-selectable="">
              {messageText(message)}
            </span>
          </li>
        );
      })}
    </ul>
  );
}
