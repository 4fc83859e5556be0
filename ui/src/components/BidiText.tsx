/** Text with an isolated direction: numbers, ids and amounts are left to right, names follow their first strong character; and what stands between two texts. */

import { keepOnLine } from "../i18n/arabicMarks";

export function NumericText({ children, className = "" }: { children: string; className?: string }) {
  return (
    <bdi dir="ltr" className={`numeric ${className}`}>
      {children}
    </bdi>
  );
}

export function NameText({ children, className = "" }: { children: string; className?: string }) {
  return (
    <bdi dir="auto" className={className}>
      {keepOnLine(children)}
    </bdi>
  );
}

/** Between two texts of one line. A dot would read as a zero beside Arabic digits. */
export function Separator() {
  return <span aria-hidden="true" className="mx-1.5 inline-block h-[0.8em] w-px bg-line-strong align-[-0.05em]" />;
}
