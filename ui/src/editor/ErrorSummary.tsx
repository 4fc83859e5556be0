/** Error summary above the form. Each entry has the field's own message and moves the focus to the field. */

import { CircleAlert } from "lucide-react";
import { type ReactNode, type Ref, useState } from "react";
import { Button } from "../components/Button";
import { useAnnouncement } from "../components/useAnnouncement";
import { useLocalizer } from "../i18n/LocalizerProvider";
import type { FieldError } from "./fields";

export interface ErrorSummaryProps {
  fieldErrors: readonly FieldError[];
  /** How many things are wrong, and what was not done. */
  title: string;
  onGo: (field: string) => void;
  /** Where that is mended of which the form has no field. */
  children?: ReactNode;
  ref?: Ref<HTMLElement>;
}

export function ErrorSummary({ fieldErrors, title, onGo, children, ref }: ErrorSummaryProps) {
  const { t } = useLocalizer();
  const first = fieldErrors.find(({ field }) => field !== null)?.field;
  // It follows the input: it is announced when it appears, and not with each key. With the focus its title is read anyway.
  const [hadFocus, setHadFocus] = useState(false);
  useAnnouncement(hadFocus ? null : title, "summary");
  return (
    // It only hears that it has the focus.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <section
      ref={ref}
      role="group"
      tabIndex={-1}
      onFocus={() => setHadFocus(true)}
      aria-labelledby="summary-title"
      className="fade-in flex flex-col gap-2 rounded-md border border-danger bg-danger-soft p-3"
    >
      <div className="flex flex-wrap items-start gap-2">
        <CircleAlert size={16} aria-hidden="true" className="mt-0.5 shrink-0 text-danger" />
        <h2 id="summary-title" className="min-w-[min(15rem,100%)] flex-1 font-semibold">
          {title}
        </h2>
        {first && (
          <Button size="sm" shortcut="nextError" onPress={() => onGo(first)}>
            {t("act-goToFirst")}
          </Button>
        )}
      </div>
      <ul className="flex list-disc flex-col gap-0.5 ps-10">
        {fieldErrors.map((error, index) => (
          // The index is the key: one rule can fail twice at one field, and the list is never reordered.
          // oxlint-disable-next-line react/no-array-index-key
          <li key={index}>
            <ErrorEntry error={error} onGo={onGo} />
          </li>
        ))}
      </ul>
      {children}
    </section>
  );
}

function ErrorEntry({ error: { field, name, message }, onGo }: { error: FieldError; onGo: (field: string) => void }) {
  const text = (
    <>
      <bdi>{name}</bdi>
      {": "}
      {message}
    </>
  );
  if (field === null) return <span>{text}</span>;
  return (
    <button
      type="button"
      onClick={() => onGo(field)}
      className="min-h-6 rounded-sm text-start text-danger underline underline-offset-2 hover:no-underline"
    >
      {text}
    </button>
  );
}
