/** An error as a notice. Its texts and actions are loaded when the first error is shown, or before that while the window is idle. */

import { Suspense } from "react";
import { lazyComponent } from "../components/lazyComponent";
import type { DescribedErrorProps } from "./DescribedError";

const DescribedError = lazyComponent(async () => (await import("./DescribedError")).DescribedError);

export function ErrorNotice(props: DescribedErrorProps) {
  return (
    <Suspense>
      <DescribedError {...props} />
    </Suspense>
  );
}
