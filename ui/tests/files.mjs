// Files that a flow drops on the window, and the names under which it saves files.

/** Drops a file on an element of the window. */
export function dropOn(locator, name, bytes) {
  return locator.evaluate(
    (element, [fileName, base64]) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))], fileName));
      for (const type of ["dragover", "drop"])
        element.dispatchEvent(new DragEvent(type, { dataTransfer: transfer, bubbles: true, cancelable: true }));
    },
    [name, Buffer.from(bytes).toString("base64")],
  );
}

/** The name of a file, when the part of the window says that it is saved. `fits` is what the message begins with. */
export async function savedName(part, fits = /^Saved as/) {
  const message = await part.getByText(fits).first().textContent();
  return message.replace(/[\u2068\u2069]/g, "").match(/^Saved as (.+)\.$/)[1];
}
