/** Tests of prints that come while another one is made, and after their view is left. */
// @vitest-environment jsdom

import { act, cleanup, renderHook } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { PrintedPages } from "../ipc/bindings";
import { printSheet, removePrintSheet } from "./printSheet";
import { usePrint } from "./usePrint";

const pages: PrintedPages = { images: ["data:,page"], total: 1 };
let makes: { answer: () => void; fail: () => void }[];
const make = () =>
  new Promise<PrintedPages>((resolve, reject) => {
    makes.push({ answer: () => resolve(pages), fail: () => reject(new Error("no seller")) });
  });
let decoded: () => void;

beforeEach(() => {
  makes = [];
  vi.spyOn(window, "print").mockImplementation(() => undefined);
  // jsdom decodes no images.
  HTMLImageElement.prototype.decode = () =>
    new Promise((resolve) => {
      decoded = resolve;
    });
});
afterEach(() => {
  cleanup();
  removePrintSheet();
});

test("a key that is pressed again while the pages are made prints once", async () => {
  const { result } = renderHook(usePrint);
  const printed = result.current(make);
  void result.current(make);
  expect(makes).toHaveLength(1);
  await act(async () => makes[0]?.answer());
  decoded();
  await printed;
  expect(window.print).toHaveBeenCalledOnce();
});

test("pages that are made after their view was left are not printed, and leave nothing in the page", async () => {
  const { result, unmount } = renderHook(usePrint);
  const printed = result.current(make);
  unmount();
  makes[0]?.answer();
  await printed;
  expect(window.print).not.toHaveBeenCalled();
  expect(document.querySelector(".print-sheet")).toBeNull();
});

test("a sheet that is removed before its pages are decoded is not printed: the screen would be, in its place", async () => {
  const printed = printSheet(pages.images);
  removePrintSheet();
  decoded();
  await printed;
  expect(window.print).not.toHaveBeenCalled();
});

test("pages that could not be made do not keep the next ones from being printed", async () => {
  const { result } = renderHook(usePrint);
  const failed = result.current(make);
  makes[0]?.fail();
  await expect(failed).rejects.toThrow("no seller");
  void result.current(make);
  expect(makes).toHaveLength(2);
});
