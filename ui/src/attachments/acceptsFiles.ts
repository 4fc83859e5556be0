/** Whether a part of the window takes files itself: the window does not read them as invoices then. */

export const acceptsFiles = { "data-accepts-files": "" } as const;

export function takesFiles(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest("[data-accepts-files]") !== null;
}
