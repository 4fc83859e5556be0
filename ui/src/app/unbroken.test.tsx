import { render, screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { WordsProvider } from "../words/WordsProvider";
import { Unbroken } from "./Unbroken";

function Breaks(): never {
  throw new Error("a defect");
}

test("a screen that cannot be drawn leaves words and a way on, and no blank window", () => {
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  render(
    <WordsProvider preferences={{ language: "en", theme: "light", digits: "latin" }}>
      <Unbroken>
        <Breaks />
      </Unbroken>
    </WordsProvider>,
  );
  expect(screen.getByRole("alert").textContent).toContain("what you typed is kept");
  expect(screen.getByRole("button", { name: "Open it anew" })).toBeTruthy();
});
