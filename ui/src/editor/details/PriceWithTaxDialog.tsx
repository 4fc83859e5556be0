/** A price that was quoted with tax, as the unit price without tax that the document needs (BT-146). */

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { TriangleAlert } from "lucide-react";
import { type FormEvent, useId, useState } from "react";
import { announce } from "../../components/announce";
import { NumericText } from "../../components/BidiText";
import { Button } from "../../components/Button";
import { TextField } from "../../components/Field";
import { Modal } from "../../components/Modal";
import { useIsShown } from "../../components/useIsShown";
import { useLatest } from "../../components/useLatest";
import { useLocalizer } from "../../i18n/LocalizerProvider";
import type { LineContent, NetPrice } from "../../ipc/bindings";
import { commands } from "../../ipc/call";
import { withBinding } from "../../state/withBinding";
import { useWorkspace } from "../../state/workspace";
import { netPriceOf } from "../useNetPrices";

export interface PriceWithTaxDialogProps {
  isOpen: boolean;
  onClose: () => void;
  line: LineContent;
  index: number;
  currency: string;
  onPrice: (price: string) => void;
}

export function PriceWithTaxDialog({ isOpen, onClose, line, index, currency, onPrice }: PriceWithTaxDialogProps) {
  const { t, format } = useLocalizer();
  const client = useQueryClient();
  const { organization } = useWorkspace();
  const form = useId();
  const [text, setText] = useState("");
  const isShown = useIsShown(isOpen);
  const query = (price: string) => ({
    queryKey: [organization.id, "net-price", price, line, currency],
    queryFn: () => withBinding(organization.id, (binding) => commands.netPrice(binding, price, line, currency)),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const typed = text.trim();
  const latest = useLatest(typed);
  const { data: net } = useQuery({ ...query(typed), enabled: typed !== "" });
  const take = (price: string) => {
    onPrice(price);
    announce(t("net-price-used", { price }));
    onClose();
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (typed === "") return;
    // Enter may come before the answer to the last digit. Whoever closes the dialog or goes on typing meanwhile does not want the price.
    const found = await client.fetchQuery(query(typed)).catch(() => null);
    if (found?.kind === "found" && isShown.current && latest.current === typed) take(found.price);
  };
  const offered = netPriceOf(net);
  const shown = offered === null ? "" : format.amount(offered, currency);
  return (
    <Modal
      title={t("price-with-tax-title", { line: format.integer(index + 1) })}
      isOpen={isOpen}
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose}>{t("cancel")}</Button>
          {net?.kind === "none" ? (
            <Button variant="primary" onPress={() => take(net.nearest)}>
              {t("net-price-use-nearest", { price: shown })}
            </Button>
          ) : (
            <Button variant="primary" type="submit" form={form} isDisabled={offered === null}>
              {t("net-price-use", { price: shown === "" ? "—" : shown })}
            </Button>
          )}
        </>
      }
    >
      <form id={form} onSubmit={(event) => void submit(event)} className="flex flex-col gap-3">
        <TextField
          label={t("field-price-with-tax")}
          value={text}
          onChange={setText}
          numeric
          // The dialog was opened to type this.
          // oxlint-disable-next-line jsx-a11y/no-autofocus
          autoFocus
          autoComplete="off"
          inputMode="decimal"
          hint={t("price-with-tax-hint", { rate: format.percent(line.taxRate === "" ? "0" : line.taxRate) })}
        />
        <div role="status">{typed !== "" && net && <Answer net={net} currency={currency} />}</div>
      </form>
    </Modal>
  );
}

function Answer({ net, currency }: { net: NetPrice; currency: string }) {
  const { t, format } = useLocalizer();
  switch (net.kind) {
    case "found":
      return (
        <>
          <dl className="grid grid-cols-[1fr_auto] gap-x-4 gap-y-1">
            <dt className="text-fg-2">{t("net-price-found")}</dt>
            <dd className="amount-column">
              <NumericText className="font-semibold">{format.amount(net.price, currency)}</NumericText>
            </dd>
            <dt className="text-fg-2">{t("net-price-total")}</dt>
            <dd className="amount-column">
              <NumericText>{format.money(net.withTax, currency)}</NumericText>
            </dd>
          </dl>
          {!net.isExact && <p className="mt-2 text-fg-2 text-xs">{t("net-price-rounded")}</p>}
        </>
      );
    case "none":
      return (
        <p className="flex items-start gap-2">
          <TriangleAlert size={16} aria-hidden="true" className="mt-0.5 shrink-0 text-warning" />
          {t("net-price-none", { typed: format.money(net.typed, currency), total: format.money(net.withTax, currency) })}
        </p>
      );
    case "unreadable":
      return <p className="text-fg-2">{t("net-price-unreadable")}</p>;
  }
}
