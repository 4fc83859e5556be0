/** What changes by itself or with each key is not read over the person: countdowns, and the totals of the form. */

import { cleanup, render, screen } from "@testing-library/react";
import type { ReactNode } from "react";
import { afterEach, expect, test } from "vitest";
import { Totals } from "../editor/Totals";
import { LocalizerProvider } from "../i18n/LocalizerProvider";
import type { CommandError, PendingRetry } from "../ipc/bindings";
import { OutagePage } from "../shell/OutagePage";
import { RetryNotice } from "./RetryNotice";

const nothing = () => undefined;
const support = { code: null, status: 503, reason: "", operation: "list_invoices", time: "", correlationId: "", message: "" };
const error = { kind: "unavailable", support } as unknown as CommandError;
const until = "2999-01-01T00:00:00Z";

afterEach(cleanup);

function show(view: ReactNode) {
  return render(<LocalizerProvider preferences={{ language: "en", theme: "light", digits: "latin" }}>{view}</LocalizerProvider>)
    .container;
}

test.each([
  ["a pending retry", <RetryNotice key="" retry={{ id: 1, error, until } as unknown as PendingRetry} variant="card" />],
  ["an outage", <OutagePage key="" error={error} until={until} onTryNow={nothing} onDrafts={nothing} />],
])("the countdown of %s is a timer within its notice, whose words are read once", (_, view) => {
  show(view);
  const timer = screen.getByRole("timer");
  expect(timer.textContent).toMatch(/\d/);
  expect(timer.closest("[role=status], [role=alert]")).not.toBeNull();
});

test("the totals are no live region", () => {
  const form = show(<Totals calculation={null} currency="SAR" missing={null} onExplain={nothing} />);
  expect(form.querySelector("[data-totals]")).not.toBeNull();
  expect(form.querySelector("[aria-live]")).toBeNull();
});
