/** Tests of what the window shows after a render error. */
import { render, screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { LocalizerProvider } from "../i18n/LocalizerProvider";
import { ErrorBoundary } from "./ErrorBoundary";

function Breaks(): never {
  throw new Error("a defect");
}

test("a render error shows a message and a reload button", () => {
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  render(
    <LocalizerProvider preferences={{ language: "en", theme: "light", digits: "latin" }}>
      <ErrorBoundary>
        <Breaks />
      </ErrorBoundary>
    </LocalizerProvider>,
  );
  expect(screen.getByRole("alert").textContent).toContain("what you typed is kept");
  expect(screen.getByRole("button", { name: "Open it again" })).toBeTruthy();
});
