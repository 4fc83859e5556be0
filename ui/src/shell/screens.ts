/** The screens of the sidebar, which the command palette also offers. */

import { FileText, type LucideIcon, PencilLine } from "lucide-react";
import type { View } from "../state/navigation";

export interface ScreenEntry {
  view: Exclude<View, { name: "editor" }>;
  label: "invoices" | "drafts";
  Icon: LucideIcon;
}

export const screens = {
  invoices: { view: { name: "invoices" }, label: "invoices", Icon: FileText },
  drafts: { view: { name: "drafts" }, label: "drafts", Icon: PencilLine },
} as const satisfies Record<string, ScreenEntry>;
