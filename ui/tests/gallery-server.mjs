// Serves the component gallery with the development server.

import { join } from "node:path";
import { createServer } from "vite";

export async function openGallery() {
  const server = await createServer({
    root: join(import.meta.dirname, ".."),
    server: { port: 0, strictPort: false },
    logLevel: "error",
  });
  await server.listen();
  const { port } = server.httpServer.address();
  return {
    /** URL of the gallery in a language and a theme. */
    address: ({ language = "en", theme = "light" } = {}) =>
      `http://127.0.0.1:${port}/gallery?language=${language}&theme=${theme}`,
    close: () => server.close(),
  };
}
