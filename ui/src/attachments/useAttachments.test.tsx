/** Tests of the limits of a file that is attached, and of what has to be there before it is. */

import { act, cleanup, renderHook } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { runWithBinding, workspaceWrapper } from "../gallery/renderInWorkspace";
import type { AttachmentsView, CommandError } from "../ipc/bindings";
import { CommandFailure, commands } from "../ipc/call";
import { type AddingWhenReady, problemOf, useAttachments } from "./useAttachments";

vi.mock("../state/withBinding");
afterEach(cleanup);

const empty: AttachmentsView = {
  attachments: [],
  editable: true,
  offline: false,
  limits: { count: 1, bytes: 100, extensions: ["pdf", "csv"] },
  problem: null,
};
const one = { id: "1", fileName: "a.pdf", bytes: 1, added: null, waiting: false, problem: null };

test("a file within the limits is attached", () => {
  expect(problemOf({ name: "Offer.PDF", size: 100 }, empty)).toBeNull();
});

test("a file beyond a limit is refused before it is read", () => {
  expect(problemOf({ name: "a.pdf", size: 101 }, empty)).toBe("tooLarge");
  expect(problemOf({ name: "a.exe", size: 1 }, empty)).toBe("otherType");
  expect(problemOf({ name: "pdf", size: 1 }, empty)).toBe("otherType");
  expect(problemOf({ name: "a.pdf", size: 1 }, { ...empty, attachments: [one] })).toBe("tooMany");
});

/** The attachments of a form. */
async function form(whenReady: AddingWhenReady) {
  const add = vi.spyOn(commands, "addAttachment").mockResolvedValue({ status: "ok", data: { ...empty, attachments: [one] } });
  vi.spyOn(commands, "listAttachments").mockResolvedValue({ status: "ok", data: empty });
  runWithBinding();
  const { result } = renderHook(() => useAttachments("a", "", whenReady), { wrapper: workspaceWrapper() });
  await expect.poll(() => result.current?.query.data).toEqual(empty);
  return { result, add };
}

/** The window of the tests reads no files. */
const fileOf = (name: string) => Object.assign(new File(["x"], name), { arrayBuffer: async () => new ArrayBuffer(1) });

/** Drops a file on a form. Returns whether the core was asked to add it, and what is shown then. */
async function drop(whenReady: AddingWhenReady) {
  const { result, add } = await form(whenReady);
  act(() => result.current.add([fileOf("a.pdf")]));
  await expect.poll(() => result.current.errors.length + add.mock.calls.length).toBe(1);
  return { added: add.mock.calls.length, errors: result.current.errors };
}

test("a file is attached once the draft of the form is there", async () => {
  let saved = false;
  const { added } = await drop(async (add) => {
    expect(commands.addAttachment).not.toHaveBeenCalled();
    saved = true;
    return add();
  });
  expect([saved, added]).toEqual([true, 1]);
});

test("a file is not attached without the draft of the form, and the reason is shown", async () => {
  const error: CommandError = { kind: "notSaved", problem: "noSpace", reason: "no storage space" };
  const { added, errors } = await drop(() => Promise.reject(new CommandFailure(error)));
  expect([added, errors]).toEqual([0, [{ file: "a.pdf", error }]]);
});

test("why a file was refused stays while others that were dropped after it are added", async () => {
  const { result, add } = await form((adding) => adding());
  const refused = () => result.current.errors.map(({ file }) => file);
  act(() => {
    result.current.add([fileOf("a.exe")]);
    result.current.add([fileOf("b.pdf")]);
  });
  await expect.poll(() => result.current.outcome).not.toBe("");
  expect([refused(), add.mock.calls.length]).toEqual([["a.exe"], 1]);
  act(() => result.current.add([fileOf("c.pdf")]));
  await expect.poll(refused, { message: "the next files begin anew" }).toEqual(["c.pdf"]);
});
