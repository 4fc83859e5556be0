/** Reads what a form or a confirmation begins with. */

import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import { useId } from "react";

/**
 * Reads anew at each opening of a form. A query that several openings share would give the next form what the one before
 * began with, if the first was closed while its query was read again: after a save, for example.
 */
export function useOpeningQuery<T>(key: readonly unknown[], read: () => Promise<T>): UseQueryResult<T> {
  const opening = useId();
  return useQuery({ queryKey: [...key, opening], queryFn: read, staleTime: 0, gcTime: 0 });
}
