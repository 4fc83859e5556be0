/** Selects the screen for the state of the session. */

import type { QueryClient } from "@tanstack/react-query";
import { Suspense } from "react";
import { lazyComponent } from "../components/lazyComponent";
import { environmentsQuery } from "../environments/environmentsQuery";
import { LocalizerProvider } from "../i18n/LocalizerProvider";
import { noFilter, pageQuery } from "../queries/invoicePages";
import { FinishingScreen, StartingScreen } from "../session/ProgressScreens";
import { subscribeToSnapshots, useSnapshot } from "../state/snapshotStore";
import { usePreferences, useSharedPreferences } from "../state/usePreferences";
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

function Screen() {
  const snapshot = useSnapshot();
  if (!snapshot) return <StartingScreen />;
  const { session } = snapshot;
  switch (session.state) {
    case "starting":
      return <StartingScreen />;
    case "signedOut":
      return <SignInScreen lastEnvironment={session.lastEnvironment} sessionError={session.error} />;
    case "waiting":
      return <BrowserSignInScreen session={session} />;
    case "finishing":
      return <FinishingScreen environment={session.environment} />;
    case "signedIn":
      return <SignedInWindow session={session} binding={snapshot.binding} retries={snapshot.pendingRetries} />;
  }
}
