/**
 * Prints pages through the dialog of the system. The pages are put into the document for print media only (styles/paper.css),
 * and stay until the next ones, or until their view is left: some web views report the end of printing before they have read them.
 */

const CLASS = "print-sheet";

export async function printSheet(images: readonly string[]): Promise<void> {
  removePrintSheet();
  const sheet = document.createElement("div");
  sheet.className = CLASS;
  sheet.setAttribute("aria-hidden", "true");
  for (const source of images) {
    const page = document.createElement("img");
    page.src = source;
    page.alt = "";
    sheet.append(page);
  }
  document.body.append(sheet);
  await Promise.all([...sheet.querySelectorAll("img")].map((page) => page.decode().catch(() => undefined)));
  // Without the sheet, the screen would be printed.
  if (sheet.isConnected) window.print();
}

/** Removes what was printed last. */
export function removePrintSheet(): void {
  for (const sheet of document.querySelectorAll(`.${CLASS}`)) sheet.remove();
}
