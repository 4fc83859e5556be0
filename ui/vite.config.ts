/** The build of the web UI, and its unit tests. */
import optimizeLocales from "@react-aria/optimize-locales-plugin";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

/** What almost every test of a component loads. */
const LIBRARIES = [
  "@internationalized/date",
  "@tanstack/react-query",
  "@testing-library/react",
  "lucide-react",
  "react",
  "react-aria-components",
  "react-dom",
  "react-dom/client",
  "react/jsx-dev-runtime",
];

/** Small modules of the first screens that lazy ones load too. Each would be a file of its own: together they are 1.4 KiB less of the first screen. */
const SHARED =
  /lucide-react.*(createLucideIcon|\/x\.|\/check\.)|src\/(ipc\/useCommandCalls|queries\/permissionsQuery|state\/(withBinding|navigation)|components\/(Kbd|groupBy)|invoices\/(decimal|rowText)|i18n\/digits|errors\/outage)/;

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
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: "shared", test: SHARED }] } } },
  },
  server: { port: 5173, strictPort: true, host: "127.0.0.1", fs: { allow: [".", "../icons"] } },
  test: {
    setupFiles: ["src/i18n/loadTexts.setup.ts"],
    restoreMocks: true,
    // Workers keep what they have loaded, and each file has a context of its own: with a process for each file the tests take more than twice as
    // long. A single worker would run all files in one context.
    pool: "vmThreads",
    maxWorkers: 2,
    vmMemoryLimit: "1GB",
    projects: [
      // To make a document takes longer than most of these tests. A file that needs one says so in its head.
      { extends: true, test: { name: "logic", include: ["src/**/*.test.ts"], environment: "node" } },
      {
        extends: true,
        test: {
          name: "components",
          include: ["src/**/*.test.tsx"],
          environment: "jsdom",
          // As one file each: to load the hundreds of files of React Aria takes half of the time otherwise.
          deps: { optimizer: { client: { enabled: true, include: LIBRARIES } } },
        },
      },
    ],
  },
});
