/** Tests of what is said about the changes of a draft while they are written. */

import { act, cleanup, render } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { content } from "../gallery/fixtures";
import { LocalizerProvider } from "../i18n/LocalizerProvider";
import type { Draft } from "../ipc/bindings";
import { createAutosave } from "./autosave";
import { SaveStatus } from "./SaveStatus";

afterEach(cleanup);

const draft: Draft = { key: "d", changes: null, content, state: "editing" };

test("a change is said to be kept when it is written, and not while the disk takes its time", async () => {
  const written: (() => void)[] = [];
  const autosave = createAutosave<Draft>(
    () => new Promise<void>((resolve) => written.push(resolve)),
    (begin) => {
      begin();
      return () => undefined;
    },
  );
  const { container } = render(
    <LocalizerProvider preferences={{ language: "en", theme: "light", digits: "latin" }}>
      <SaveStatus autosave={autosave} />
    </LocalizerProvider>,
  );
  const isWaiting = () => container.querySelector(".save-status")?.getAttribute("data-waiting");
  expect(isWaiting()).toBe("false");
  await act(async () => autosave.schedule(draft));
  expect(isWaiting()).toBe("true");
  await act(async () => written.shift()?.());
  expect(isWaiting()).toBe("false");
});
