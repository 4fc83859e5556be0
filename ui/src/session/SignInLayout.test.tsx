/** Test of the mark above the screens before sign-in. */

import { cleanup } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { renderInWorkspace } from "../gallery/renderInWorkspace";
import { SignInLayout } from "./SignInLayout";

afterEach(cleanup);

test("the mark is the one of the taskbar and of the pages in the browser", () => {
  renderInWorkspace(
    <SignInLayout>
      <p>Sign in</p>
    </SignInLayout>,
  );
  expect(document.querySelector("header img")?.getAttribute("src")).toMatch(/icons\/app.*\.svg$/);
  expect(document.querySelector("header svg")).toBeNull();
});
