// Serves the component gallery with the development server.

import { join } from "node:path";

export async function openGallery() {
  // It is large, and no other flow needs it.
  const { createServer } = await import("vite");
  const server = await createServer({
    root: join(import.meta.dirname, ".."),
    server: { port: 0, strictPort: false },
    logLevel: "error",
  });
  await server.listen();
  const { port } = server.httpServer.address();
  return {
    /** URL of the gallery in a language and a theme, with the digits of a script. */
    address: ({ language = "en", theme = "light", digits = "latin" } = {}) =>
      `http://127.0.0.1:${port}/gallery?language=${language}&theme=${theme}&digits=${digits}`,
    close: () => server.close(),
  };
}
