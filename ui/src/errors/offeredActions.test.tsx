/** Every row of the table is rendered where it occurs, and offers its actions there. */

import { QueryClientProvider } from "@tanstack/react-query";
import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { type ReactNode, Suspense } from "react";
import { afterEach, describe, expect, test, vi } from "vitest";
import { ErrorSummary } from "../editor/ErrorSummary";
import { SubmissionNotice } from "../editor/SubmissionNotice";
import type { DraftEditor } from "../editor/useDraftEditor";
import type { Submission } from "../editor/useSubmission";
import { content, organizations, view } from "../gallery/fixtures";
import { LocalizerProvider } from "../i18n/LocalizerProvider";
import { createLocalizer, plainText } from "../i18n/localizer";
import { ConfirmDialog } from "../invoices/ConfirmDialog";
import { InvoiceDetail } from "../invoices/InvoiceDetail";
import type { CommandError, EnvironmentView, InvoiceView, PendingRetry, Snapshot, VaultProblem } from "../ipc/bindings";
import { CommandFailure } from "../ipc/call";
import { invoiceKey } from "../queries/invoiceQuery";
import { SignInScreen } from "../session/SignInScreen";
import type { SignIn } from "../session/useSignIn";
import { WindowSignInContext } from "../session/windowSignIn";
import { ErrorActions } from "../shell/ErrorActions";
import { OutagePage } from "../shell/OutagePage";
import { SessionBanners } from "../shell/SessionBanners";
import { VaultDialog } from "../shell/VaultDialog";
import { type Navigation, NavigationContext } from "../state/navigation";
import { createQueryClient } from "../state/queryClient";
import { defaultPreferences } from "../state/usePreferences";
import { withBinding } from "../state/withBinding";
import { type SignedInSession, type Workspace, WorkspaceContext } from "../state/workspace";
import { ErrorNotice } from "./ErrorNotice";
import { RetryNotice } from "./RetryNotice";
import { quietLines } from "./table";
import { type Row, rows } from "./tableRows";

vi.mock("../state/withBinding");
vi.mock(import("../state/snapshotStore"), async (original) => ({ ...(await original()), useSnapshot: () => snapshot }));
// jsdom has none, and modal dialogs use it.
vi.stubGlobal("CSS", { escape: (text: string) => text });

const { t } = createLocalizer("en", "latin");
const organization = organizations[0] ?? expect.fail("there are sample organizations");
/** The limit for lazy code to be loaded on a slow computer. */
const LOADING_MS = 20_000;
vi.setConfig({ testTimeout: 2 * LOADING_MS });

const nothing = () => undefined;
const snapshot = {
  session: { state: "signedIn", organizations, connectivity: { state: "online" } },
  pendingRetries: [],
} as unknown as Snapshot;
const environment = { name: "staging", kind: "staging", config: null, demoAccounts: [] } as unknown as EnvironmentView;
const online: SignedInSession["connectivity"] = { state: "online" };
const signIn: SignIn = {
  error: null,
  busy: false,
  start: nothing,
  openAgain: nothing,
  loopback: nothing,
  paste: nothing,
  cancel: nothing,
  signOut: nothing,
  reconnect: nothing,
  unlock: nothing,
  refreshOrganizations: nothing,
};

/** The places of the signed-in window are inside of `ErrorActions`. */
function inWindow(
  children: ReactNode,
  { session = {}, retries = [] }: { session?: Partial<SignedInSession>; retries?: PendingRetry[] } = {},
) {
  const signedIn = { organizations, environment, connectivity: online, ends: null, error: null, vault: null, ...session };
  const workspace = { organization, retries, session: signedIn } as unknown as Workspace;
  const navigation = { navigate: nothing, openInvoice: nothing, registerAutosave: () => nothing } as unknown as Navigation;
  return (
    <WorkspaceContext value={workspace}>
      <NavigationContext value={navigation}>
        <WindowSignInContext value={signIn}>
          <ErrorActions>{children}</ErrorActions>
        </WindowSignInContext>
      </NavigationContext>
    </WorkspaceContext>
  );
}

function inEditor(error: CommandError) {
  const state = error.kind === "unknownOutcome" ? "unknownOutcome" : "editing";
  const draft = { key: "k", content, changes: { stamp: "1", content }, state };
  const editor = { state: { draft }, autosave: { stop: nothing } } as unknown as DraftEditor;
  const submission = { busy: false, error } as unknown as Submission;
  return inWindow(<SubmissionNotice editor={editor} submission={submission} onCompare={nothing} onRetry={nothing} />);
}

function inSummary(error: CommandError) {
  const violations = error.kind === "invalidArgument" ? error.violations : [];
  const fieldErrors = violations.map(({ field, rule }) => ({ field, rule, message: "x", label: "x" }));
  return inWindow(<ErrorSummary fieldErrors={fieldErrors as never} title="x" onGo={nothing} />);
}

function whileRetried(error: CommandError, variant: "card" | "page") {
  const retry: PendingRetry = {
    id: 1,
    command: "create_document",
    organization: organization.id,
    write: true,
    error,
    until: "2026-11-22T12:00:00Z",
    failedAttempts: 1,
  };
  return inWindow(<RetryNotice retry={retry} variant={variant} />, { retries: [retry] });
}

function inDetail(error: CommandError) {
  vi.mocked(withBinding).mockRejectedValue(new CommandFailure(error));
  return inWindow(<InvoiceDetail invoice={view.row.key} sums={[]} slidesOver={false} takesFocus={false} onClose={nothing} />);
}

function inConfirmation(error: CommandError) {
  return inWindow(
    <ConfirmDialog
      action="issue"
      view={view}
      busy={false}
      error={error}
      onConfirm={nothing}
      onEdit={nothing}
      onClose={nothing}
    />,
  );
}

const inBanner = (session: Partial<SignedInSession>) => () => inWindow(<SessionBanners outage={undefined} />, { session });
const inBannerOfSession = (error: CommandError) => inBanner({ error })();
const onSignIn = (error: CommandError) => <SignInScreen lastEnvironment={null} sessionError={error} />;
const inVaultDialog = (error: CommandError) => {
  const problem: VaultProblem = error.kind === "vault" ? error.problem : "absent";
  return <VaultDialog problem={problem} onUnlock={nothing} />;
};
const onWholeWindow = (error: CommandError) =>
  inWindow(<OutagePage error={error} until={null} onTryNow={nothing} onDrafts={nothing} />);

/** Where each row occurs. */
const places: Readonly<Record<string, (error: CommandError) => ReactNode>> = {
  INVALID_ARGUMENT: inSummary,
  "FAILED_PRECONDITION, frozen": inEditor,
  "ABORTED, same field": inEditor,
  "ALREADY_EXISTS otherwise": inEditor,
  "unknown outcome": inEditor,
  NOT_FOUND: inDetail,
  PERMISSION_DENIED: inConfirmation,
  "UNAUTHENTICATED, refresh failed for good": inBanner({ connectivity: { state: "ended" } as SignedInSession["connectivity"] }),
  "offline or no route": inEditor,
  "RESOURCE_EXHAUSTED, rate": (error) => whileRetried(error, "card"),
  "RESOURCE_EXHAUSTED, plan": inEditor,
  "503 with an empty body, other organizations answer": (error) => whileRetried(error, "page"),
  "503 with an empty body, all fail": onWholeWindow,
  UNAVAILABLE: (error) => whileRetried(error, "card"),
  "UNAVAILABLE, tax authority": inConfirmation,
  "INTERNAL, second time": inEditor,
  "callback refused": onSignIn,
  "no address of this computer for the answer": onSignIn,
  "keyring locked": inVaultDialog,
  "keyring absent": inVaultDialog,
  "account that cannot be read": onSignIn,
  "wrong environment pair": onSignIn,
  "clock ahead by more than five minutes": onSignIn,
  "clock behind by more than five minutes": inBannerOfSession,
};

/** What makes a document say each quiet line in its detail. */
const quietDocuments: Readonly<Record<keyof typeof quietLines, Partial<InvoiceView>>> = {
  merged: {
    merged: {
      event: { time: "2026-11-22T09:00:00Z", by: "Salem" },
      before: content,
      theirs: { ...content, note: "Ring the bell" },
    },
    content: { ...content, note: "Ring the bell", noteAr: "اتصل قبل التسليم" },
  },
  createdEarlier: { createdEarlier: true },
};

function show(place: ReactNode, document?: InvoiceView) {
  const client = createQueryClient();
  if (document) client.setQueryData(invoiceKey(organization.id, document.row.key), document);
  client.setQueryData(["environments"], [environment]);
  client.setQueryData(["accounts"], []);
  const preferences = { ...defaultPreferences, language: "en" as const };
  render(
    <QueryClientProvider client={client}>
      <LocalizerProvider preferences={preferences}>
        <Suspense>{place}</Suspense>
      </LocalizerProvider>
    </QueryClientProvider>,
  );
}

afterEach(cleanup);

async function expectOffered({ name, error, actions }: Row) {
  const place = places[name] ?? expect.fail(`the test has no place for ${name}`);
  show(place(error));
  for (const label of Object.values(actions)) {
    const button = await waitFor(() => screen.getByRole("button", { name: new RegExp(`^${label}`) }), { timeout: LOADING_MS });
    expect(button.hasAttribute("disabled"), `${label} is enabled`).toBe(false);
  }
}

test.each(rows.map((row) => [row.name, row] as const))("%s offers its actions", async (_name, row) => {
  await expectOffered(row);
});

test("a place without handlers of its own offers those of the window", async () => {
  const denied = rows.find(({ name }) => name === "PERMISSION_DENIED") ?? expect.fail("there is such a row");
  show(inWindow(<ErrorNotice error={denied.error} variant="inline" />));
  expect(await screen.findByRole("button", { name: t("act-refreshOrganizations") })).toBeTruthy();
});

test("every row has its place, and every place its row", () => {
  expect(Object.keys(places).toSorted()).toEqual(rows.map(({ name }) => name).toSorted());
});

function plainLine(key: keyof typeof quietLines) {
  const words = plainText(t(quietLines[key].message, { number: view.row.number }));
  return (text: string) => plainText(text) === words;
}

describe("the quiet lines of a document", () => {
  const denied = rows.find(({ name }) => name === "PERMISSION_DENIED") ?? expect.fail("there is such a row");
  const openDocument = (key: keyof typeof quietLines) => show(inDetail(denied.error), { ...view, ...quietDocuments[key] });
  const keys = Object.keys(quietLines) as (keyof typeof quietLines)[];

  test.each(keys)("%s is said in the document, with the actions of the table", async (key) => {
    openDocument(key);
    const line = await screen.findByText(plainLine(key), {}, { timeout: LOADING_MS });
    const offered = [...(line.parentElement?.querySelectorAll("button") ?? [])].map((button) => button.textContent);
    expect(offered).toEqual(quietLines[key].actions.map((action) => t(`act-${action}`)));
  });

  test("Show both shows what the other has changed, and what this person has", async () => {
    openDocument("merged");
    fireEvent.click(await screen.findByRole("button", { name: t("act-showBoth") }, { timeout: LOADING_MS }));
    const dialog = await screen.findByRole("dialog", {}, { timeout: LOADING_MS });
    await waitFor(() =>
      expect(dialog.textContent).toMatch(/Changed by .*Salem.*Ring the bell.*Changed by you.*اتصل قبل التسليم/su),
    );
  });
});
