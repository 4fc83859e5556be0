/** Tests of changes of the settings: by keys that come one after the other, and before the settings are read. */
import { QueryClientProvider } from "@tanstack/react-query";
import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { ListSettings } from "../ipc/bindings";
import { createQueryClient, removeAccountQueries } from "../state/queryClient";
import { shownColumns, withWidth } from "./columns";
import { useListSettings } from "./useListSettings";

const saved = vi.hoisted(() => vi.fn((_binding: unknown, _settings: unknown) => Promise.resolve(null)));
const stored = vi.hoisted(() => vi.fn<() => Promise<ListSettings>>());
vi.mock("../state/workspace", () => ({ useWorkspace: () => ({ organization: { id: "1" } }) }));
vi.mock("../state/withBinding", () => ({
  withBinding: (_: string, run: (binding: null) => unknown) => Promise.resolve(run(null)),
}));
vi.mock("../ipc/call", async (original) => ({
  ...(await original<typeof import("../ipc/call")>()),
  commands: {
    listSettings: stored,
    saveListSettings: saved,
  },
}));

beforeEach(() => {
  saved.mockClear();
  stored.mockReset().mockResolvedValue({ views: [], columns: [], unfolded: [] });
});
afterEach(cleanup);

function Width() {
  const { settings, change } = useListSettings();
  const shown = shownColumns(settings.columns);
  const width = shown[0]?.width ?? 100;
  const wider = () => change(() => ({ columns: withWidth(shown, "number", width + 8) }));
  return (
    <button type="button" onKeyDown={wider}>
      {width}
    </button>
  );
}

const large = { id: "v", name: "Large", filter: "{}", columns: [] };
const drafts = { id: "w", name: "Drafts", filter: "{}", columns: [] };

function Views() {
  const { change } = useListSettings();
  return (
    <button type="button" onClick={() => change(({ views }) => ({ views: [...views, drafts] }))}>
      Add
    </button>
  );
}

/** The settings are read when the function that it returns is called. */
function answerLater(): (settings: ListSettings) => void {
  const answers: ((settings: ListSettings) => void)[] = [];
  stored.mockReturnValue(
    new Promise((resolve) => {
      answers.push(resolve);
    }),
  );
  return (settings) => answers[0]?.(settings);
}

/** The next key of a browser is a task of its own. Timers may come after it. */
function nextTask(): Promise<void> {
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve) => {
    const onMessage = () => {
      port1.close();
      resolve();
    };
    port1.addEventListener("message", onMessage, { once: true });
    port1.start();
    port2.postMessage(null);
  });
}

test("each of several keys goes on from what the one before has changed", async () => {
  render(
    <QueryClientProvider client={createQueryClient()}>
      <Width />
    </QueryClientProvider>,
  );
  const button = await screen.findByText("100");
  for (let key = 1; key <= 5; key += 1) {
    fireEvent.keyDown(button);
    await nextTask();
  }
  expect(button.textContent).toBe("140");
  await waitFor(() => expect(saved).toHaveBeenCalledOnce());
});

test("a change that comes before the settings are read keeps the views that are stored", async () => {
  const answer = answerLater();
  render(
    <QueryClientProvider client={createQueryClient()}>
      <Width />
    </QueryClientProvider>,
  );
  fireEvent.keyDown(screen.getByRole("button"));
  const views = [large];
  answer({ views, columns: [], unfolded: [] });
  await waitFor(() => expect(saved).toHaveBeenCalledOnce());
  expect(saved.mock.calls[0]?.[1]).toMatchObject({ views, columns: expect.arrayContaining([{ name: "number", width: 108 }]) });
});

test("a view that is added when the settings could not be read before is added to those that are stored", async () => {
  stored.mockRejectedValueOnce(new Error("locked")).mockResolvedValue({ views: [large], columns: [], unfolded: [] });
  render(
    <QueryClientProvider client={createQueryClient()}>
      <Views />
    </QueryClientProvider>,
  );
  await waitFor(() => expect(stored).toHaveBeenCalledOnce());
  // The failure arrives.
  await nextTask();
  fireEvent.click(screen.getByRole("button"));
  await waitFor(() => expect(saved).toHaveBeenCalledOnce());
  expect(saved.mock.calls[0]?.[1]).toMatchObject({ views: [large, drafts] });
});

test("two changes that wait for the settings are both made", async () => {
  const answer = answerLater();
  render(
    <QueryClientProvider client={createQueryClient()}>
      <Width />
      <Views />
    </QueryClientProvider>,
  );
  const [width, add] = screen.getAllByRole("button");
  fireEvent.keyDown(width ?? expect.fail("there is a width"));
  fireEvent.click(add ?? expect.fail("there is a button"));
  answer({ views: [large], columns: [], unfolded: [] });
  await waitFor(() =>
    expect(saved.mock.lastCall?.[1]).toMatchObject({
      views: [large, drafts],
      columns: expect.arrayContaining([{ name: "number", width: 108 }]),
    }),
  );
});

function Failure() {
  const { error } = useListSettings();
  return <output>{error?.kind}</output>;
}

test("what could not be stored is told by every part of the window, until it is", async () => {
  saved.mockRejectedValueOnce(new Error("no space"));
  render(
    <QueryClientProvider client={createQueryClient()}>
      <Views />
      <Failure />
    </QueryClientProvider>,
  );
  await waitFor(() => expect(stored).toHaveBeenCalledOnce());
  await nextTask();
  fireEvent.click(screen.getByRole("button"));
  await waitFor(() => expect(screen.getByRole("status").textContent).toBe("invalidCall"));
  fireEvent.click(screen.getByRole("button"));
  await waitFor(() => expect(screen.getByRole("status").textContent).toBe(""));
});

test("a change that is not saved yet when another account signs in replaces nothing of that account", async () => {
  const client = createQueryClient();
  const { unmount } = render(
    <QueryClientProvider client={client}>
      <Width />
    </QueryClientProvider>,
  );
  const button = await screen.findByText("100");
  await waitFor(() => expect(client.isFetching()).toBe(0));
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  fireEvent.keyDown(button);
  unmount();
  removeAccountQueries(client);
  vi.advanceTimersByTime(1_000);
  vi.useRealTimers();
  expect(saved).not.toHaveBeenCalled();
});
