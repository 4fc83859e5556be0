/** The messages with which the tax authority has refused the document that a draft changes. */

import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { listCounts } from "../editor/details/detailFields";
import { type FieldError, fieldName, fieldOfViolation, formFields } from "../editor/fields";
import { getText } from "../editor/paths";
import { useUnchanged } from "../editor/useUnchanged";
import { useLocalizer } from "../i18n/LocalizerProvider";
import type { Draft, Violation } from "../ipc/bindings";
import { commands } from "../ipc/call";
import { withBinding } from "../state/withBinding";
import { useWorkspace } from "../state/workspace";
import { messageText } from "./messageText";
import { submissionKey } from "./submissionQuery";

export interface Rejection {
  /** All messages, at inputs of the form; empty if the document was not refused. */
  messages: readonly Violation[];
  /** Those of fields that still have the refused content. */
  fieldErrors: readonly FieldError[];
}

const none: readonly Violation[] = [];

export function useRejection({ key, changes, content }: Draft): Rejection {
  const localizer = useLocalizer();
  const { organization } = useWorkspace();
  const submission = useQuery({
    queryKey: [...submissionKey(organization.id, key), changes?.stamp ?? ""],
    queryFn: () => withBinding(organization.id, (binding) => commands.getSubmission(binding, key)),
    enabled: changes !== null,
    staleTime: 0,
  });
  const found = submission.data?.state === "rejected" ? submission.data.messages : none;
  const rejection = useMemo((): Rejection => {
    if (!changes || found.length === 0) return { messages: none, fieldErrors: [] };
    const fields = formFields(content.lines.length, content.correction !== null, localizer.language, listCounts(content));
    const messages = found.map((message) => ({
      ...message,
      field: message.field === null ? null : fieldOfViolation(message.field, fields),
    }));
    const fieldErrors = messages.flatMap((message): FieldError[] => {
      const { field } = message;
      if (field === null || getText(content, field) !== getText(changes.content, field)) return [];
      return [{ field, name: fieldName(field, localizer), message: messageText(message) }];
    });
    return { messages, fieldErrors };
  }, [found, changes, content, localizer]);
  // A key changes the content, and mostly no message: every field renders again when the messages change.
  return useUnchanged(rejection);
}
