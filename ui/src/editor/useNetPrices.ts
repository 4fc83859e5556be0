/** The unit prices without tax (BT-146) of lines that were pasted with prices that include it. The core computes them. */

import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import type { LineContent, NetPrice } from "../ipc/bindings";
import { commands } from "../ipc/call";
import { withBinding } from "../state/withBinding";
import { useWorkspace } from "../state/workspace";

/** One for each price; `null` if that is empty. */
export function useNetPrices(
  prices: readonly string[],
  lines: readonly LineContent[],
  currency: string,
): UseQueryResult<(NetPrice | null)[]> {
  const { organization } = useWorkspace();
  const netPrice = (price: string, line: LineContent | undefined): NetPrice | null | Promise<NetPrice> => {
    if (price === "" || !line) return null;
    // Which tax is in the price is not known yet. Only what is outside the scope of tax has no rate.
    if (line.taxRate === "" && line.taxCategory !== "O") return { kind: "unreadable" };
    return withBinding(organization.id, (binding) => commands.netPrice(binding, price, line, currency));
  };
  return useQuery({
    queryKey: [organization.id, "net-prices", prices, lines, currency],
    queryFn: () => Promise.all(prices.map((price, index) => netPrice(price, lines[index]))),
    enabled: prices.length > 0,
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** The price that a line gets: the nearest one if none makes it come to exactly what was typed. */
export function netPriceOf(found: NetPrice | null | undefined): string | null {
  switch (found?.kind) {
    case "found":
      return found.price;
    case "none":
      return found.nearest;
    default:
      return null;
  }
}
