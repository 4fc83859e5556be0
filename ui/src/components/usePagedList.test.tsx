/** Tests of a list in pages: one page at first, the next on request, and its end said once there were several. */

import { act, cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { renderInWorkspace, untilAnnounced } from "../gallery/renderInWorkspace";
import { announce } from "./announce";
import { usePagedList, usePagedResultAnnouncement } from "./usePagedList";

vi.mock("./announce");
afterEach(cleanup);

type TestPage = { names: string[]; nextPage: string };
const pages: Record<string, TestPage> = {
  "": { names: ["Hessa", "Khalid"], nextPage: "second" },
  second: { names: ["Salem"], nextPage: "" },
};
const single: Record<string, TestPage> = { "": { names: ["Hessa"], nextPage: "" } };

function List({ read }: { read: (page: string) => Promise<TestPage> }) {
  const { rows, end } = usePagedList(["o", "names"], read, ({ names }) => names);
  return (
    <>
      <ul>
        {rows?.map((name) => (
          <li key={name}>{name}</li>
        ))}
      </ul>
      {end}
    </>
  );
}

function show(answers: Record<string, TestPage>) {
  return showRead(async (page) => answers[page] ?? expect.fail(`there is no page ${page}`));
}

function showRead(answer: (page: string) => Promise<TestPage>) {
  const read = vi.fn(answer);
  renderInWorkspace(<List read={read} />);
  return read;
}

const names = () => screen.queryAllByRole("listitem").map(({ textContent }) => textContent);

test("the next page comes when it is asked for, behind the first", async () => {
  const read = show(pages);
  const more = await screen.findByRole("button", { name: "Show more" });
  expect(names()).toEqual(["Hessa", "Khalid"]);
  fireEvent.click(more);
  await waitFor(() => expect(names()).toEqual(["Hessa", "Khalid", "Salem"]));
  expect(read.mock.calls).toEqual([[""], ["second"]]);
  expect(announce).toHaveBeenCalledWith("Now shown: 3");
});

test("after the last page the end is said, and takes the focus of the button", async () => {
  show(pages);
  const more = await screen.findByRole("button", { name: "Show more" });
  more.focus();
  fireEvent.click(more);
  const end = await screen.findByText(/^All .*3.* are shown\.$/);
  expect(screen.queryByRole("button")).toBeNull();
  await waitFor(() => expect(document.activeElement).toBe(end));
});

test("of a next page that cannot be read nothing is announced", async () => {
  vi.mocked(announce).mockClear();
  const refusals: (() => void)[] = [];
  showRead(async (page) => {
    if (page === "") return { names: ["Hessa"], nextPage: "second" };
    return new Promise<TestPage>((_, reject) => {
      refusals.push(() => reject(new Error("offline")));
    });
  });
  fireEvent.click(await screen.findByRole("button", { name: "Show more" }));
  await waitFor(() => expect(refusals).toHaveLength(1));
  await act(async () => refusals.shift()?.());
  expect(await screen.findByRole("button", { name: "Show more" })).toBeTruthy();
  expect(names()).toEqual(["Hessa"]);
  expect(announce).not.toHaveBeenCalled();
});

test("a list of one page has nothing under it", async () => {
  show(single);
  await waitFor(() => expect(names()).toEqual(["Hessa"]));
  expect(screen.queryByRole("button")).toBeNull();
  expect(screen.queryByText(/are shown/)).toBeNull();
});

function Found({ search }: { search: string }) {
  const read = async () => (search === "s" ? pages[""] : single[""]) ?? expect.fail("there is a page");
  const list = usePagedList(["o", "found", search], read, ({ names: found }) => found);
  usePagedResultAnnouncement(list, search, "Nobody has this name.");
  return null;
}

test("what a search has found is announced once it is answered, as a part if there is more", async () => {
  vi.mocked(announce).mockClear();
  const { rerender } = renderInWorkspace(<Found search="" />);
  rerender(<Found search="s" />);
  await waitFor(() => expect(announce).toHaveBeenLastCalledWith("Now shown: 2"), untilAnnounced);
  rerender(<Found search="he" />);
  await waitFor(() => expect(announce).toHaveBeenLastCalledWith("1 result"), untilAnnounced);
  expect(announce).toHaveBeenCalledTimes(2);
});
