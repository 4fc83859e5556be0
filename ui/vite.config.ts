/** The build of the web UI, and its unit tests. */
import optimizeLocales from "@react-aria/optimize-locales-plugin";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

export default defineConfig({
  plugins: [
    react(),
    tailwindcss(),
    // Bundle only the two languages of the application with React Aria.
    { ...optimizeLocales.vite({ locales: ["en-US", "ar-AE"] }), enforce: "pre" as const },
  ],
  // Oldest system web views that are supported: WebKitGTK 2.50, WKWebView of macOS 14, WebView2.
  build: {
    target: ["safari17.4", "chrome120"],
    outDir: "dist",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    manifest: "manifest.json",
  },
  server: { port: 5173, strictPort: true, host: "127.0.0.1" },
  test: {
    environment: "jsdom",
    include: ["src/**/*.test.{ts,tsx}"],
    setupFiles: ["src/i18n/loadTexts.setup.ts"],
    restoreMocks: true,
  },
});
