/** The remembered buyers that fit a text, for the command palette. */

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { PartyView } from "../ipc/bindings";
import { useSearchPace } from "../queries/useSearchPace";
import { partiesQuery } from "./memoryQueries";

/** Those of the text before until there is an answer, and at first those that were used last. Without an answer there are none. */
export function useParties(organization: string, text: string): readonly PartyView[] | undefined {
  const typed = text.trim();
  const [asked, setAsked] = useState("");
  const answer = useQuery({ ...partiesQuery(organization, asked), placeholderData: keepPreviousData });
  useSearchPace(typed, asked, answer.isFetching, setAsked);
  return answer.data;
}
