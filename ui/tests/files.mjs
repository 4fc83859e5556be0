// Files that a flow drops on the window, and the names under which it saves files.

/** How many frames the window may need until it takes files. */
const MOST_FRAMES = 600;

/** Drops a file on an element of the window, once the window takes files: as from a browser, which asks by `dragover`. */
export function dropOn(locator, name, bytes) {
  return locator.evaluate(
    async (element, [fileName, base64, mostFrames]) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))], fileName));
      const isRefused = (type) =>
        element.dispatchEvent(new DragEvent(type, { dataTransfer: transfer, bubbles: true, cancelable: true }));
      for (let frame = 0; isRefused("dragover"); frame += 1) {
        if (frame === mostFrames) throw new Error(`no file is taken after ${mostFrames} frames`);
        await new Promise((resolve) => requestAnimationFrame(resolve));
      }
      if (isRefused("drop")) throw new Error("the file is not taken");
    },
    [name, Buffer.from(bytes).toString("base64"), MOST_FRAMES],
  );
}

/** The name of a file, when the part of the window says that it is saved. `fits` is what the message begins with. */
export async function savedName(part, fits = /^Saved as/) {
  const message = await part.getByText(fits).first().textContent();
  return message.replace(/[\u2068\u2069]/g, "").match(/^Saved as (.+)\.$/)[1];
}
