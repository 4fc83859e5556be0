/** Disclosure with the details of an error for support, and a button that copies them. Its code is loaded with the first error. */

import { Suspense } from "react";
import { lazyComponent } from "../components/lazyComponent";
import type { CommandError } from "../ipc/bindings";

const ErrorDetailsDisclosure = lazyComponent(async () => (await import("./ErrorDetailsDisclosure")).ErrorDetailsDisclosure);

export function ErrorDetails({ error }: { error: CommandError }) {
  return (
    <Suspense>
      <ErrorDetailsDisclosure error={error} />
    </Suspense>
  );
}
