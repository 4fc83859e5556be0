/** A cache of its own for what is read while the user acts as another person, so that neither sees the answers to the other. */

import { QueryClientProvider } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { createQueryClient } from "../state/queryClient";
import { useKeptQueries } from "../state/useKeptQueries";
import { useReadAgainOnReturn } from "../windows/useReadAgainOnReturn";

interface ImpersonationQueriesProps {
  isShown: boolean;
  organization: string | undefined;
}

export function ImpersonationQueries({ children, ...shown }: ImpersonationQueriesProps & { children: ReactNode }) {
  const [client] = useState(createQueryClient);
  return (
    <QueryClientProvider client={client}>
      <KeptQueries {...shown} />
      {children}
    </QueryClientProvider>
  );
}

function KeptQueries({ isShown, organization }: ImpersonationQueriesProps): null {
  useKeptQueries(isShown);
  useReadAgainOnReturn(isShown, organization);
  return null;
}
