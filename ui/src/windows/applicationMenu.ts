/** The menus of the menu bar: commands of the table, and what the system does by itself (decision 0144). */

import { applicableCommands } from "../components/commands";
import { keysOf, type ShortcutId, shortcuts } from "../components/shortcuts";
import type { Localizer, MessageId } from "../i18n/localizer";
import type { ApplicationMenu, MenuItem, MenuRole, SystemItem } from "../ipc/bindings";

/** A command that has no shortcut. */
const plainCommands = { help: "help-connection" } as const satisfies Record<string, MessageId>;

type CommandId = ShortcutId | keyof typeof plainCommands;

const systemLabels: Record<SystemItem, MessageId> = {
  about: "menu-about",
  services: "menu-services",
  hide: "menu-hide",
  hideOthers: "menu-hide-others",
  showAll: "menu-show-all",
  undo: "key-undo",
  redo: "key-redo",
  cut: "menu-cut",
  copy: "menu-copy",
  paste: "menu-paste",
  selectAll: "menu-select-all",
  closeWindow: "menu-close-window",
  minimize: "menu-minimize",
  maximize: "menu-maximize",
  fullscreen: "menu-fullscreen",
  bringAllToFront: "menu-all-to-front",
};

type Line = { command: CommandId } | { system: SystemItem } | "separator";
const command = (id: CommandId): Line => ({ command: id });
const system = (item: SystemItem): Line => ({ system: item });

const menus: readonly { label: MessageId; role: MenuRole; lines: readonly Line[] }[] = [
  {
    label: "menu-application",
    role: "plain",
    lines: [
      system("about"),
      "separator",
      command("settings"),
      "separator",
      system("services"),
      "separator",
      system("hide"),
      system("hideOthers"),
      system("showAll"),
      "separator",
      command("quit"),
    ],
  },
  {
    label: "menu-file",
    role: "plain",
    lines: [
      command("newInvoice"),
      command("templates"),
      command("newWindow"),
      command("importFile"),
      "separator",
      command("savePdf"),
      command("print"),
      "separator",
      system("closeWindow"),
    ],
  },
  {
    label: "menu-edit",
    role: "plain",
    lines: [system("undo"), system("redo"), "separator", system("cut"), system("copy"), system("paste"), system("selectAll")],
  },
  {
    label: "menu-view",
    role: "plain",
    lines: [
      command("palette"),
      command("reload"),
      "separator",
      command("zoomIn"),
      command("zoomOut"),
      command("zoomReset"),
      "separator",
      system("fullscreen"),
    ],
  },
  {
    label: "menu-window",
    role: "window",
    lines: [
      system("minimize"),
      system("maximize"),
      "separator",
      command("switchOrganization"),
      "separator",
      system("bringAllToFront"),
    ],
  },
  { label: "menu-help", role: "help", lines: [command("sheet"), command("help")] },
];

/** The menu bar for what the window shows. `covered`: a dialog is open, and takes the keys of most commands. */
export function applicationMenu({ t }: Pick<Localizer, "t">, covered: boolean): ApplicationMenu {
  const applicable = new Set(applicableCommands(covered).map(({ id }) => id));
  const itemOf = (line: Line): MenuItem => {
    if (line === "separator") return { kind: "separator" };
    if ("system" in line) return { kind: "system", item: line.system, label: t(systemLabels[line.system]) };
    const id = line.command;
    const enabled = applicable.has(id);
    if (id === "help") return { kind: "command", id, label: t(plainCommands[id]), keys: null, enabled };
    return { kind: "command", id, label: t(shortcuts[id].label), keys: keysOf(id), enabled };
  };
  return { menus: menus.map(({ label, role, lines }) => ({ label: t(label), role, items: lines.map(itemOf) })) };
}
