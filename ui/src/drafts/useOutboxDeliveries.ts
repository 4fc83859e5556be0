/** Announces that the outbox has delivered drafts of the organization in the background. */

import { useEffect, useRef } from "react";
import { announce } from "../components/announce";
import { useLocalizer } from "../i18n/LocalizerProvider";
import { useSnapshot } from "../state/snapshotStore";

export function useOutboxDeliveries(): void {
  const { t } = useLocalizer();
  const deliveries = useSnapshot()?.deliveries ?? 0;
  const before = useRef(deliveries);
  useEffect(() => {
    const count = deliveries - before.current;
    before.current = deliveries;
    if (count > 0) announce(t("deliveries", { count }));
  }, [deliveries, t]);
}
