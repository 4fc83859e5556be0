/** What closing the form of an environment does with what was typed, and that its fold stays open while somebody types in it. */

import { QueryClientProvider } from "@tanstack/react-query";
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import type { ModalProps } from "../components/Modal";
import { LocalizerProvider } from "../i18n/LocalizerProvider";
import { createQueryClient } from "../state/queryClient";
import { EnvironmentDialog } from "./EnvironmentDialog";

vi.mock("../components/Modal", () => ({
  Modal: ({ children, actions }: ModalProps) => (
    <div>
      {children}
      {actions}
    </div>
  ),
}));
afterEach(cleanup);

function open() {
  const onClose = vi.fn();
  render(
    <QueryClientProvider client={createQueryClient()}>
      <LocalizerProvider preferences={{ language: "en", theme: "light", digits: "latin" }}>
        <EnvironmentDialog existing={null} onClose={onClose} />
      </LocalizerProvider>
    </QueryClientProvider>,
  );
  return onClose;
}

test("typed fields are discarded after a question only", () => {
  const onClose = open();
  const name = document.querySelector("input[name=name]");
  fireEvent.change(name ?? expect.fail("there is a field for the name"), { target: { value: "Staging" } });
  fireEvent.click(screen.getByText("Cancel"));
  expect(onClose).not.toHaveBeenCalled();
  expect(screen.getByText(/not saved yet/)).toBeTruthy();
  fireEvent.click(screen.getByText("Discard it"));
  expect(onClose).toHaveBeenCalledOnce();
});

test("a form in which nothing was typed closes at once", () => {
  const onClose = open();
  fireEvent.click(screen.getByText("Cancel"));
  expect(onClose).toHaveBeenCalledOnce();
});

test("the fold of the network stays open when the field that is typed in is emptied", () => {
  open();
  const fold = document.querySelector("details") ?? expect.fail("there is a fold");
  const proxy = document.querySelector("input[name=proxy]") ?? expect.fail("there is a field for the proxy");
  expect(fold.open).toBe(false);
  fireEvent.change(proxy, { target: { value: "d" } });
  expect(fold.open).toBe(true);
  fireEvent.change(proxy, { target: { value: "" } });
  expect(fold.open).toBe(true);
});
