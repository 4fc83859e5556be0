/** A named group of fields within a fold. It is no heading: the folds of the document stand before the first one of the form. */

import type { ReactNode } from "react";

export function FieldGroup({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div role="group" aria-label={title} className="flex flex-col gap-2">
      <p className="font-semibold text-fg-2 text-xs">{title}</p>
      {children}
    </div>
  );
}
