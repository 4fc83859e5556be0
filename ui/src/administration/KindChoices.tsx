/** Which kinds of documents something is about. */

import { Checkbox } from "../components/Checkbox";
import { useLocalizer } from "../i18n/LocalizerProvider";
import type { InvoiceKind } from "../ipc/bindings";

const KINDS: readonly InvoiceKind[] = ["invoice", "creditNote", "debitNote"];

export function KindChoices({ value, onChange }: { value: readonly InvoiceKind[]; onChange: (value: InvoiceKind[]) => void }) {
  const { t } = useLocalizer();
  return KINDS.map((kind) => (
    <Checkbox
      key={kind}
      isSelected={value.includes(kind)}
      onChange={(selected) => onChange(KINDS.filter((other) => (other === kind ? selected : value.includes(other))))}
    >
      {t(`kind-${kind}`)}
    </Checkbox>
  ));
}
