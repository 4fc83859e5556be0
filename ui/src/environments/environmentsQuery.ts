/** The query of the environments that somebody can sign in to. */

import { queryOptions } from "@tanstack/react-query";
import { call, commands } from "../ipc/call";

/** Read again each time that they are shown. */
export const environmentsQuery = queryOptions({
  queryKey: ["environments"],
  queryFn: () => call(commands.environments()),
  staleTime: 0,
});
