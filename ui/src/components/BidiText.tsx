/** Text with an isolated direction: numbers, ids and amounts are left to right, names follow their first strong character. */

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
      {children}
    </bdi>
  );
}
