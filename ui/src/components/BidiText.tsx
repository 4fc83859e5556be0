/** Numbers, ids and amounts, which keep their own direction inside Arabic; names, which bring theirs. */

export function NumericText({ children, className = "" }: { children: string; className?: string }) {
  return (
    <bdi dir="ltr" className={`figures ${className}`}>
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
