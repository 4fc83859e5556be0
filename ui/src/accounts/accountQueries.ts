/** Query of the accounts that are remembered on this computer. */

import { queryOptions } from "@tanstack/react-query";
import { call, commands } from "../ipc/call";

export const accountsQuery = queryOptions({
  queryKey: ["accounts"],
  queryFn: () => call(commands.accounts()),
  staleTime: 0,
});
