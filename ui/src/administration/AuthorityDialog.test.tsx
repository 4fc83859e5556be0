/** Tests of the form of a tax authority: what is typed stays, and nothing is overwritten or left out without a word. */

import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { ModalProps } from "../components/Modal";
import { errors } from "../gallery/fixtures";
import { renderInWorkspace, runWithBinding } from "../gallery/renderInWorkspace";
import { plainText } from "../i18n/localizer";
import type { AuthorityView, CommandError } from "../ipc/bindings";
import { commands } from "../ipc/call";
import { AuthorityDialog } from "./AuthorityDialog";

vi.mock("../components/Modal", () => ({
  Modal: ({ title, children, actions }: ModalProps) => (
    <div role="dialog" aria-label={title}>
      {children}
      {actions}
    </div>
  ),
}));
vi.mock("../components/Select", () => ({ Select: () => null }));
vi.mock("../state/withBinding");
vi.mock("./AdministrationError", () => ({
  AdministrationError: ({ error }: { error: CommandError }) => <p role="alert">{error.kind}</p>,
}));

const offline = errors.offline[0] ?? expect.fail("there is a sample of every kind");
const aborted = errors.aborted[1] ?? expect.fail("there is a sample of every kind");
const exists = errors.alreadyExists[1] ?? expect.fail("there is a sample of every kind");
const authority = (stamp: string, hasCredentials = false): AuthorityView => ({
  settings: { adapter: "http", endpoint: "https://tax.example", mode: "clearance", kinds: ["invoice"], enabled: true },
  hasCredentials,
  stamp,
});

/** What the service has. */
let stored: AuthorityView | null;

beforeEach(() => {
  // jsdom has none.
  Element.prototype.scrollIntoView = () => undefined;
  stored = authority("1");
  vi.spyOn(commands, "getAuthority").mockImplementation(async () => ({ status: "ok", data: stored }));
  vi.spyOn(commands, "saveAuthority").mockResolvedValue({ status: "ok", data: stored });
  vi.spyOn(commands, "testAuthority").mockResolvedValue({
    status: "ok",
    data: { reachable: true, httpStatus: 200, problem: null },
  });
  runWithBinding();
});
afterEach(cleanup);

function open() {
  renderInWorkspace(<AuthorityDialog id="1" name="Andalus" onClose={() => undefined} />);
}

const endpoint = () => screen.findByRole<HTMLInputElement>("textbox", { name: /^Address/ });
const typeEndpoint = async () => fireEvent.change(await endpoint(), { target: { value: "https://new.example" } });
const press = (name: string) => fireEvent.click(screen.getByRole("button", { name }));

test("what is typed stays when the form can be neither saved nor read again", async () => {
  open();
  await typeEndpoint();
  vi.mocked(commands.saveAuthority).mockResolvedValue({ status: "error", error: offline });
  vi.mocked(commands.getAuthority).mockResolvedValue({ status: "error", error: offline });
  press("Save");
  await screen.findByRole("alert");
  await waitFor(() => expect(commands.getAuthority).toHaveBeenCalledTimes(2));
  expect((await endpoint()).value).toBe("https://new.example");
});

test("a change of somebody else that the form has not shown is not overwritten", async () => {
  open();
  await endpoint();
  stored = { ...authority("2"), settings: { ...authority("2").settings, mode: "reporting" } };
  press("Test the connection");
  await screen.findByText(/It answers/);
  await waitFor(() => expect(commands.getAuthority).toHaveBeenCalledTimes(2));
  await typeEndpoint();
  press("Save");
  await waitFor(() => expect(commands.saveAuthority).toHaveBeenCalled());
  expect(vi.mocked(commands.saveAuthority).mock.calls[0]?.[2]).toBe("1");
});

test("why the authority cannot be reached is told in words, with those of the service behind Details", async () => {
  const problem = { kind: "status", httpStatus: 503, description: "the authority answered with status 503" } as const;
  vi.mocked(commands.testAuthority).mockResolvedValue({ status: "ok", data: { reachable: false, httpStatus: 503, problem } });
  open();
  await endpoint();
  press("Test the connection");
  await screen.findByText(/It cannot be reached/);
  expect(text()).toContain("The authority answered with status 503.");
  const said = screen.getByText(problem.description);
  expect([said.lang, said.dir]).toEqual(["en", "ltr"]);
  expect(screen.getByRole("button", { name: "Details" }).getAttribute("aria-expanded")).toBe("false");
});

test("a form that could not be read is a dialog with the reason", async () => {
  vi.mocked(commands.getAuthority).mockResolvedValue({ status: "error", error: offline });
  open();
  const dialog = await screen.findByRole("dialog", { name: /Tax authority of/ });
  expect(dialog.textContent).toContain("offline");
});

test("credentials with a user name alone are not saved as if they were set", async () => {
  stored = authority("1", true);
  open();
  fireEvent.click(await screen.findByRole("radio", { name: "Set others" }));
  fireEvent.change(await screen.findByRole("textbox", { name: /^User name/ }), { target: { value: "till" } });
  press("Save");
  await screen.findByText("This is needed.");
  expect(commands.saveAuthority).not.toHaveBeenCalled();
});

const text = () => plainText(document.body.textContent ?? "");
/** Types an address, and saves it after somebody else has saved one and has switched the authority off. */
async function saveAfterThem() {
  stored = authority("1");
  open();
  await typeEndpoint();
  const { settings } = authority("2");
  stored = { ...authority("2"), settings: { ...settings, endpoint: "https://theirs.example", enabled: false } };
  vi.mocked(commands.saveAuthority).mockResolvedValueOnce({ status: "error", error: aborted });
  press("Save");
  await screen.findByText(/somebody else has changed this/);
}

test("what somebody else has saved meanwhile is named, and what was typed stays on top of it and can be saved", async () => {
  await saveAfterThem();
  expect(text()).toContain("https://tax.example → https://theirs.example");
  expect(text()).toContain("You typed: https://new.example");
  expect(text()).toContain("yes → no");
  expect((await endpoint()).value).toBe("https://new.example");
  expect(screen.queryByRole("alert")).toBeNull();
  press("Save");
  await waitFor(() => expect(commands.saveAuthority).toHaveBeenCalledTimes(2));
  const settings = { ...authority("2").settings, endpoint: "https://new.example", enabled: false };
  expect(vi.mocked(commands.saveAuthority).mock.calls[1]?.slice(2, 4)).toEqual(["2", settings]);
});

test("what somebody else has saved meanwhile is taken in place of what was typed", async () => {
  await saveAfterThem();
  press("Keep theirs");
  expect((await endpoint()).value).toBe("https://theirs.example");
  expect(screen.queryByText(/somebody else has changed this/)).toBeNull();
  expect(document.activeElement).toBe(screen.getByRole("textbox", { name: /^Adapter/ }));
});

test("a conflict whose other side cannot be read stays an error, and what was typed stays too", async () => {
  open();
  await typeEndpoint();
  vi.mocked(commands.saveAuthority).mockResolvedValueOnce({ status: "error", error: aborted });
  vi.mocked(commands.getAuthority).mockResolvedValue({ status: "error", error: offline });
  press("Save");
  expect((await screen.findByRole("alert")).textContent).toBe("aborted");
  expect((await endpoint()).value).toBe("https://new.example");
});

test("a first authority that somebody else has given the tenant meanwhile is changed, and its credentials stay", async () => {
  stored = null;
  open();
  await typeEndpoint();
  stored = authority("7", true);
  vi.mocked(commands.saveAuthority).mockResolvedValueOnce({ status: "error", error: exists });
  press("Save");
  await screen.findByRole("radio", { name: "Keep them" });
  press("Save");
  await waitFor(() => expect(commands.saveAuthority).toHaveBeenCalledTimes(2));
  const [, , stamp, settings, credentials] = vi.mocked(commands.saveAuthority).mock.calls[1] ?? expect.fail("it is saved");
  expect([stamp, settings.endpoint, credentials]).toEqual(["7", "https://new.example", { kind: "keep" }]);
});
