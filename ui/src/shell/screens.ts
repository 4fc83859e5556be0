/** The screens of the sidebar, which the command palette also offers. */

import { Building2, ChartColumn, FileText, type LucideIcon, PencilLine, ShieldCheck, Sun } from "lucide-react";
import type { View } from "../state/navigation";

export interface ScreenEntry {
  view: Exclude<View, { name: "editor" }>;
  label: "today" | "clients" | "invoices" | "drafts" | "insights" | "administration";
  Icon: LucideIcon;
}

export const screens = {
  today: { view: { name: "today" }, label: "today", Icon: Sun },
  clients: { view: { name: "clients" }, label: "clients", Icon: Building2 },
  invoices: { view: { name: "invoices" }, label: "invoices", Icon: FileText },
  drafts: { view: { name: "drafts" }, label: "drafts", Icon: PencilLine },
  insights: { view: { name: "insights" }, label: "insights", Icon: ChartColumn },
  administration: { view: { name: "administration" }, label: "administration", Icon: ShieldCheck },
} as const satisfies Record<string, ScreenEntry>;
