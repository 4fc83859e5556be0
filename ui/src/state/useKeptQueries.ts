/** The answers of a window that is hidden while its account signs in again. */

import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { keepQueries } from "./queryClient";

/** Keeps them, so that the window shows again what it has shown: what is no longer used is removed from the cache after a while. */
export function useKeptQueries(isShown: boolean): void {
  const client = useQueryClient();
  useEffect(() => (isShown ? undefined : keepQueries(client)), [client, isShown]);
}
