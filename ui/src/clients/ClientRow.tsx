/** The row of one client: counts, sums of each currency, how old they are, and what could not be read. */

import { Button as AriaButton } from "react-aria-components";
import { NameText, NumericText } from "../components/BidiText";
import { Button } from "../components/Button";
import { OrganizationBadge } from "../components/OrganizationBadge";
import { ErrorNotice } from "../errors/ErrorNotice";
import { useLocalizer } from "../i18n/LocalizerProvider";
import type { AgeingRow, CommandError } from "../ipc/bindings";
import { timeText } from "../shell/timeText";
import { openOf, overdueOf } from "./clientsTable";
import { type Client, countOf } from "./sortClients";

export interface ClientRowProps {
  client: Client;
  /** Whether the window works in it. */
  current: boolean;
  reading: boolean;
  error: CommandError | null;
  onOpen: () => void;
  onRetry: () => void;
}

export function ClientRow({ client, current, reading, error, onOpen, onRetry }: ClientRowProps) {
  const { t, format } = useLocalizer();
  const { organization, overview, unsent = 0 } = client;
  const asOf = overview?.asOf;
  return (
    <>
      <tr className={`border-line border-t hover:bg-sunken ${current ? "bg-accent-soft" : ""}`}>
        <th scope="row" className="w-full max-w-0 px-1 text-start font-normal first:ps-3">
          <AriaButton
            data-client=""
            onPress={onOpen}
            {...(current ? { "aria-current": "true" as const } : {})}
            className="flex min-h-9 w-full min-w-0 items-center gap-2.5 rounded-md px-1 py-1 text-start"
          >
            <OrganizationBadge organization={organization} />
            <span className="min-w-0">
              <NameText className="block truncate font-semibold max-narrow:whitespace-normal max-narrow:break-words">
                {organization.name}
              </NameText>
              {organization.name !== organization.domain && (
                <span className="block truncate text-fg-2 text-xs max-narrow:hidden">
                  <NumericText>{organization.domain}</NumericText>
                </span>
              )}
              {unsent > 0 && <span className="block text-warning text-xs">{t("clients-unsent", { count: unsent })}</span>}
            </span>
          </AriaButton>
        </th>
        <Count value={countOf(client, "drafts")} />
        <Count value={countOf(client, "rejected")} tone="text-danger" wideOnly />
        <Count value={countOf(client, "overdue")} tone="text-warning" />
        <td className="amount-column px-2 py-1.5 max-narrow:hidden">
          <Amounts rows={overview?.ageing ?? []} of={overdueOf} />
        </td>
        <td className="amount-column px-2 py-1.5 max-wide:hidden">
          <Amounts rows={overview?.ageing ?? []} of={openOf} />
        </td>
        <td className="px-3 text-end text-fg-2 text-xs max-narrow:hidden">
          {reading ? (
            <span className="pulse">{t("clients-reading-one")}</span>
          ) : (
            asOf && (overview.kept || error ? format.age(asOf, new Date()) : timeText(asOf, format))
          )}
        </td>
      </tr>
      {error && !reading && (
        <tr>
          <td colSpan={7} className="px-3 pb-2 ps-12">
            <FailedRead error={error} name={organization.name} onRetry={onRetry} />
          </td>
        </tr>
      )}
    </>
  );
}

function Count({ value, tone = "", wideOnly = false }: { value: number | undefined; tone?: string; wideOnly?: boolean }) {
  const { format } = useLocalizer();
  const color = value === undefined || value === 0 ? "text-fg-3" : `font-semibold ${tone}`;
  return (
    <td className={`numeric amount-column px-2 ${color} ${wideOnly ? "max-narrow:hidden" : ""}`}>
      {value === undefined ? "–" : format.integer(value)}
    </td>
  );
}

/** One amount for each currency, below each other. */
function Amounts({ rows, of }: { rows: readonly AgeingRow[]; of: (row: AgeingRow) => string | null }) {
  const { format } = useLocalizer();
  return rows.map((row) => {
    const amount = of(row);
    return (
      amount !== null && (
        // An amount is isolated in its line, which is aligned as the column is.
        <div key={row.currency} className="whitespace-nowrap">
          <NumericText>{format.money(amount, row.currency)}</NumericText>
        </div>
      )
    );
  });
}

/** What could not be read, and the way to try it again: some errors have no action of their own, and others lead away from the row. */
function FailedRead({ error, name, onRetry }: { error: CommandError; name: string; onRetry: () => void }) {
  const { t } = useLocalizer();
  return (
    <ErrorNotice error={error} variant="inline" context={{ organization: name }} hasMainAction>
      <Button size="sm" variant="primary" onPress={onRetry}>
        {t("act-tryAgain")}
      </Button>
    </ErrorNotice>
  );
}
