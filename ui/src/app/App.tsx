/** Selects the screen for the state of the session. */

import type { QueryClient } from "@tanstack/react-query";
import { Suspense, useState } from "react";
import { lazyComponent } from "../components/lazyComponent";
import { environmentsQuery } from "../environments/environmentsQuery";
import { LocalizerProvider } from "../i18n/LocalizerProvider";
import type { SessionView, Snapshot } from "../ipc/bindings";
import { noFilter, pageQuery } from "../queries/invoicePages";
import { FinishingScreen, StartingScreen } from "../session/ProgressScreens";
import { subscribeToSnapshots, useSnapshot } from "../state/snapshotStore";
import { usePreferences, useSharedPreferences } from "../state/usePreferences";
import type { SignedInSession } from "../state/workspace";
import { ErrorBoundary } from "./ErrorBoundary";
import { AppShell, SignedInWindow } from "./SignedInWindow";

const BrowserSignInScreen = lazyComponent(async () => (await import("../session/BrowserSignInScreen")).BrowserSignInScreen);
const SignInScreen = lazyComponent(async () => (await import("../session/SignInScreen")).SignInScreen);

/**
 * Begins to load the first screen and its data as soon as the session is known, while preferences and texts are read, and the list while
 * its screen is loaded.
 */
export function prefetchFirstScreen(client: QueryClient): void {
  const unsubscribe = subscribeToSnapshots(({ session: { state }, binding }) => {
    if (state === "signedOut") {
      SignInScreen.prefetch();
      void client.prefetchQuery(environmentsQuery);
    } else if (state === "signedIn" && binding) {
      AppShell.prefetch();
      void client.prefetchQuery(pageQuery(binding.organization, noFilter, 0));
    } else return;
    unsubscribe();
  });
}

export function App() {
  const { preferences, ready } = usePreferences();
  useSharedPreferences();
  // Renders nothing until the preferences are read: the language is not known before.
  if (!ready) return null;
  return (
    <LocalizerProvider preferences={preferences}>
      <ErrorBoundary>
        <Suspense>
          <Screen />
        </Suspense>
      </ErrorBoundary>
    </LocalizerProvider>
  );
}

type SignedInSnapshot = Snapshot & { session: SignedInSession };

export function Screen() {
  const snapshot = useSnapshot();
  // While an account signs in again, its window stays, hidden, with all that was typed in it.
  const [last, setLast] = useState<SignedInSnapshot | null>(null);
  const signedIn = signedInSnapshot(snapshot, last);
  if (signedIn !== last) setLast(signedIn);
  const isShown = signedIn !== null && signedIn === snapshot;
  return (
    <>
      {signedIn && (
        <SignedInWindow
          session={signedIn.session}
          binding={signedIn.binding}
          retries={signedIn.pendingRetries}
          isShown={isShown}
        />
      )}
      {!isShown && <SessionScreen session={snapshot?.session} />}
    </>
  );
}

/** The snapshot of the signed-in window: the last one during another sign-in, which may fail. Nothing stays after signing out. */
function signedInSnapshot(snapshot: Snapshot | null, last: SignedInSnapshot | null): SignedInSnapshot | null {
  if (snapshot && isSignedIn(snapshot)) return snapshot;
  const state = snapshot?.session.state;
  return state === "waiting" || state === "finishing" ? last : null;
}

function isSignedIn(snapshot: Snapshot): snapshot is SignedInSnapshot {
  return snapshot.session.state === "signedIn";
}

/** The screen of a session that nobody is signed in to. */
function SessionScreen({ session }: { session: SessionView | undefined }) {
  switch (session?.state) {
    case undefined:
    case "starting":
      return <StartingScreen />;
    case "signedOut":
      return <SignInScreen lastEnvironment={session.lastEnvironment} sessionError={session.error} />;
    case "waiting":
      return <BrowserSignInScreen session={session} />;
    case "finishing":
      return <FinishingScreen environment={session.environment} />;
    case "signedIn":
      return null;
  }
}
