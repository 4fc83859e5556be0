/** The period of the reports of an organization. It is kept for the organization on this computer (decision 0142). */

import { useState } from "react";
import type { ReportPeriod } from "../ipc/bindings";
import { useListSettings } from "../listSettings/useListSettings";
import { todayOf } from "../organizations/today";
import { useWorkspace } from "../state/workspace";
import { type ChoiceId, chosenPeriod, type Period } from "./periods";

export interface ReportPeriodState {
  id: ChoiceId;
  period: Period;
  /** `range`: the days of a range. */
  choose: (id: ChoiceId, range?: Period) => void;
}

export function useReportPeriod(): ReportPeriodState {
  const { organization } = useWorkspace();
  const { settings, change } = useListSettings();
  // What another window chooses later does not change what is read here. It is `undefined` until the settings are read.
  const [chosen, setChosen] = useState<ReportPeriod | null | undefined>(settings.reportPeriod);
  if (chosen === undefined && settings.reportPeriod !== undefined) setChosen(settings.reportPeriod);
  const choose = (id: ChoiceId, range: Period = { from: "", to: "" }) => {
    const reportPeriod = { name: id, ...range };
    setChosen(reportPeriod);
    change(() => ({ reportPeriod }));
  };
  return { ...chosenPeriod(chosen, todayOf(organization)), choose };
}
