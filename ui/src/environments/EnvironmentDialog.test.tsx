/** The form of an environment: what closing it does with what was typed, its fold while somebody types, and that it is sent once. */

import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { announce } from "../components/announce";
import { renderInWorkspace, untilAnnounced } from "../gallery/renderInWorkspace";
import { commands } from "../ipc/call";
import { EnvironmentDialog } from "./EnvironmentDialog";
import { emptyConfig } from "./environmentConfig";

vi.mock("../components/announce");
vi.mock("../components/Modal");
afterEach(cleanup);

function open() {
  const onClose = vi.fn();
  renderInWorkspace(<EnvironmentDialog existing={null} onClose={onClose} />);
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

test("what removing an environment means is announced before it is confirmed", async () => {
  renderInWorkspace(<EnvironmentDialog existing={{ ...emptyConfig, name: "staging" }} onClose={() => undefined} />);
  fireEvent.click(screen.getByRole("button", { name: "Remove" }));
  const hint = screen.getByRole("status").textContent ?? expect.fail("there is a hint");
  await waitFor(() => expect(announce).toHaveBeenCalledWith(hint), untilAnnounced);
});

test("a form whose answer is awaited is not sent again, and its button keeps the focus", async () => {
  const add = vi.spyOn(commands, "addEnvironment").mockReturnValue(new Promise(() => undefined));
  open();
  const form = document.querySelector("form") ?? expect.fail("there is a form");
  const save = screen.getByRole<HTMLButtonElement>("button", { name: "Save" });
  fireEvent.submit(form);
  await waitFor(() => expect([save.disabled, save.getAttribute("aria-disabled")]).toEqual([false, "true"]));
  fireEvent.click(save);
  fireEvent.submit(form);
  expect(add).toHaveBeenCalledTimes(1);
});

test("a project id that the identity provider has refused is wrong at its field, until one of the pair is changed", async () => {
  const existing = { ...emptyConfig, name: "staging", authUrl: "https://id.example", projectAudienceId: "1" };
  const refusal = { kind: "wrongEnvironmentPair", authUrl: existing.authUrl } as const;
  renderInWorkspace(<EnvironmentDialog existing={existing} refusal={refusal} onClose={() => undefined} />);
  const field = document.querySelector<HTMLInputElement>("input[name=projectAudienceId]") ?? expect.fail("there is a field");
  await expect.poll(() => document.activeElement === field).toBe(true);
  expect(field.getAttribute("aria-invalid")).toBe("true");
  expect(screen.getByText(/project id does not belong to/)).toBeTruthy();
  fireEvent.change(field, { target: { value: "2" } });
  expect(screen.queryByText(/does not belong to/)).toBeNull();
  cleanup();
  const other = { ...existing, authUrl: "https://id.other" };
  renderInWorkspace(<EnvironmentDialog existing={other} refusal={refusal} onClose={() => undefined} />);
  expect(screen.queryByText(/does not belong to/)).toBeNull();
});
