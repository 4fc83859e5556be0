/** Copies text to the clipboard, with a fallback for web views without the Clipboard API. */

/** Whether the text was copied. Call it from a user gesture: web views require one. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
  }
}

function copyBySelection(text: string): boolean {
  const focused = document.activeElement;
  const area = document.createElement("textarea");
  area.value = text;
  area.className = "visually-hidden";
  // A dialog takes the focus back from what is outside of it, and the selection with it.
  const dialog = focused?.closest("[role=dialog], [role=alertdialog]");
  (dialog ?? document.body).append(area);
  area.select();
  const copied = document.execCommand("copy");
  area.remove();
  if (focused instanceof HTMLElement) focused.focus();
  return copied;
}
