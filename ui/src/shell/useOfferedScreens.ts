/** The screens that are offered to the person in the organization. */

import { useQuery } from "@tanstack/react-query";
import { useEffect, useMemo } from "react";
import { draftsQuery } from "../queries/draftQueries";
import { usePermissions, useReadsDocuments } from "../queries/permissionsQuery";
import { useNavigation } from "../state/navigation";
import { useWorkspace } from "../state/workspace";
import { type ScreenEntry, screens } from "./screens";

/** Who is offered no documents is offered none of their screens, but that of drafts while there are some. */
export function useOfferedScreens(): readonly ScreenEntry[] {
  const { session, organization } = useWorkspace();
  const administers = usePermissions()?.administration === true;
  const reads = useReadsDocuments();
  const drafts = useQuery(draftsQuery(organization.id)).data?.length ?? 0;
  const hasDrafts = reads || drafts > 0;
  const hasClients = session.organizations.length > 1;
  return useMemo(
    () => [
      ...(reads ? [screens.today] : []),
      ...(hasClients ? [screens.clients] : []),
      ...(reads ? [screens.invoices] : []),
      ...(hasDrafts ? [screens.drafts] : []),
      ...(reads ? [screens.insights] : []),
      ...(administers ? [screens.administration] : []),
    ],
    [administers, hasClients, hasDrafts, reads],
  );
}

/** Begins with the administration if the list of documents is not offered. */
export function useFirstScreen(): void {
  const offered = useOfferedScreens();
  const { view, navigate } = useNavigation();
  const isRefused = view.name === "invoices" && !offered.some(({ label }) => label === "invoices");
  useEffect(() => {
    if (isRefused) navigate(screens.administration.view);
  }, [isRefused, navigate]);
}
