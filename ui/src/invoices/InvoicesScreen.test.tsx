/** Tests of the screen of the list: whether it says that its rows are those of the search before. */

import { cleanup } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { renderInWorkspace } from "../gallery/renderInWorkspace";
import { noFilter } from "../queries/invoicePages";
import { type Navigation, NavigationContext } from "../state/navigation";
import { withBinding } from "../state/withBinding";
import { InvoicesScreen } from "./InvoicesScreen";
import { useSearchFilter } from "./useSearchFilter";

vi.mock("../state/withBinding");
vi.mock("../components/lazyComponent", () => ({ lazyComponent: () => () => null, lazyDialog: () => () => null }));
vi.mock("./useSearchFilter");
afterEach(cleanup);

const navigation = {
  openInvoiceKey: null,
  listFilter: noFilter,
  search: "12",
  firstHitOf: null,
} as unknown as Navigation;

function screenOf(current: boolean) {
  vi.mocked(useSearchFilter).mockReturnValue({ filter: noFilter, current, reading: null });
  return (
    <NavigationContext value={navigation}>
      <InvoicesScreen />
    </NavigationContext>
  );
}

test("the list is busy until it is decided how the search is read", () => {
  vi.mocked(withBinding).mockReturnValue(new Promise(() => {}));
  const { container, rerender } = renderInWorkspace(screenOf(false), {
    workspace: { session: { connectivity: { state: "online" } } },
  });
  const busy = () => container.querySelector("section")?.getAttribute("aria-busy");
  expect(busy()).toBe("true");
  rerender(screenOf(true));
  expect(busy()).toBe("false");
});
