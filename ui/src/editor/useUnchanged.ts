/** Keeps the identity of a value while its content is the same. */

import { useState } from "react";

/** The former value while the new one has the same content. What depends on it, as each row of a long document, is not rendered again. */
export function useUnchanged<T>(value: T): T {
  const [kept, setKept] = useState(value);
  if (kept === value || JSON.stringify(kept) === JSON.stringify(value)) return kept;
  setKept(value);
  return value;
}
