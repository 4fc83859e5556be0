/** What becomes of pasted prices with tax: which tax is taken out, and which lines come to another total or get no price. */

import { Notice } from "../errors/Notice";
import { useLocalizer } from "../i18n/LocalizerProvider";
import type { LineContent, NetPrice } from "../ipc/bindings";
import { netPriceOf } from "./useNetPrices";

export interface PastedPricesProps {
  netPrices: readonly (NetPrice | null)[];
  lines: readonly LineContent[];
}

export function PastedPrices({ netPrices, lines }: PastedPricesProps) {
  const { t, format } = useLocalizer();
  const rates = new Set(lines.filter((_, index) => netPriceOf(netPrices[index]) !== null).map(({ taxRate }) => taxRate || "0"));
  const count = (kind: NetPrice["kind"]) => netPrices.filter((found) => found?.kind === kind).length;
  const rounded = count("none");
  const unreadable = count("unreadable");
  return (
    <>
      {rates.size > 0 && (
        <p className="text-fg-2">{t("price-with-tax-hint", { rate: format.list([...rates].map(format.percent)) })}</p>
      )}
      {rounded > 0 && <Notice severity="warning" variant="card" text={t("paste-prices-rounded", { count: rounded })} />}
      {unreadable > 0 && <Notice severity="warning" variant="card" text={t("paste-prices-unreadable", { count: unreadable })} />}
    </>
  );
}
