/** A choice among what the service lists. If that is more than a page, a field finds the others. */

import { skipToken, useQuery } from "@tanstack/react-query";
import { useDeferredValue, useState } from "react";
import { TextField } from "../components/Field";
import { type Choice, Select } from "../components/Select";
import { useResultAnnouncement } from "../components/useAnnouncement";

const ALL = "all";

export interface SearchedSelectProps {
  label: string;
  searchLabel: string;
  /** What is chosen if nothing is. */
  allLabel: string;
  /** Says that a search has found nothing. */
  noneLabel: string;
  chosen: Choice<string> | null;
  onChange: (chosen: Choice<string> | null) => void;
  queryKey: readonly string[];
  /** The first page of what has the text. Without it, only what is chosen is offered. */
  search?: ((text: string) => Promise<{ choices: readonly Choice<string>[]; hasMore: boolean }>) | undefined;
}

export function SearchedSelect({
  label,
  searchLabel,
  allLabel,
  noneLabel,
  chosen,
  onChange,
  queryKey,
  search,
}: SearchedSelectProps) {
  const [text, setText] = useState("");
  const wanted = useDeferredValue(text.trim());
  const { data: found, isPlaceholderData } = useQuery({
    queryKey: [...queryKey, "choices", wanted],
    queryFn: search ? () => search(wanted) : skipToken,
    placeholderData: (before) => before,
  });
  useResultAnnouncement(wanted, found && !isPlaceholderData ? found.choices.length : null, noneLabel, found?.hasMore);
  // Once shown, the field stays: while it has the focus, what is found can be less than a page.
  const [isLong, setLong] = useState(false);
  if (found?.hasMore && !isLong) setLong(true);
  const listed = found?.choices ?? [];
  const offered = chosen && !listed.some(({ id }) => id === chosen.id) ? [chosen, ...listed] : listed;
  return (
    <>
      {isLong && (
        <div className="w-40">
          <TextField label={searchLabel} value={text} onChange={setText} />
        </div>
      )}
      <div className="w-52">
        <Select
          label={label}
          value={chosen?.id ?? ALL}
          onChange={(id) => onChange(offered.find((one) => one.id === id) ?? null)}
          choices={[{ id: ALL, label: allLabel }, ...offered]}
        />
      </div>
    </>
  );
}
