/** Tests of a choice among what the service lists in pages. */

import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { announce } from "../components/announce";
import { renderInWorkspace, untilAnnounced } from "../gallery/renderInWorkspace";
import { SearchedSelect, type SearchedSelectProps } from "./SearchedSelect";

vi.mock("../components/announce");
vi.mock("../components/Select", () => ({
  Select: ({ choices }: { choices: { id: string; label: string }[] }) => (
    <ul>
      {choices.map(({ id, label }) => (
        <li key={id}>{label}</li>
      ))}
    </ul>
  ),
}));
afterEach(cleanup);

function show(search: SearchedSelectProps["search"], chosen: SearchedSelectProps["chosen"] = null) {
  renderInWorkspace(
    <SearchedSelect
      label="Organization"
      searchLabel="Find"
      allLabel="All"
      noneLabel="No tenant matches."
      chosen={chosen}
      onChange={() => undefined}
      queryKey={["o", "tenants"]}
      search={search}
    />,
  );
}

const offered = () => screen.getAllByRole("listitem").map(({ textContent }) => textContent);

test("what fits on a page is chosen from without a search", async () => {
  show(async () => ({ choices: [{ id: "1", label: "Andalus" }], hasMore: false }));
  await waitFor(() => expect(offered()).toEqual(["All", "Andalus"]));
  expect(screen.queryByRole("textbox")).toBeNull();
});

test("a tenant beyond the first page is found, and the field stays when little is found", async () => {
  const search = vi.fn(async (text: string) =>
    text === ""
      ? { choices: [{ id: "1", label: "Andalus" }], hasMore: true }
      : { choices: [{ id: "900", label: "Zahra" }], hasMore: false },
  );
  show(search);
  const field = await screen.findByRole("textbox", { name: "Find" });
  fireEvent.change(field, { target: { value: "zah" } });
  await waitFor(() => expect(offered()).toEqual(["All", "Zahra"]));
  expect(search).toHaveBeenLastCalledWith("zah");
  fireEvent.change(field, { target: { value: "" } });
  expect(screen.getByRole("textbox", { name: "Find" })).toBe(field);
});

test("how many a search has found is announced, and nothing while none is searched", async () => {
  vi.mocked(announce).mockClear();
  show(async (text) => ({ choices: text === "zah" ? [{ id: "900", label: "Zahra" }] : [], hasMore: text === "" }));
  const field = await screen.findByRole("textbox", { name: "Find" });
  fireEvent.change(field, { target: { value: "zah" } });
  await waitFor(() => expect(announce).toHaveBeenLastCalledWith("1 result"), untilAnnounced);
  fireEvent.change(field, { target: { value: "zahl" } });
  await waitFor(() => expect(announce).toHaveBeenLastCalledWith("No tenant matches."), untilAnnounced);
  expect(announce).toHaveBeenCalledTimes(2);
});

test("what is chosen stays offered, also without a search", () => {
  show(undefined, { id: "7", label: "Hessa" });
  expect(offered()).toEqual(["All", "Hessa"]);
});
