import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

/** Builds the browser page of `vppsim serve` (src/dashboard) into dist/dashboard. */
export default defineConfig({
  root: fileURLToPath(new URL("src/dashboard", import.meta.url)),
  base: "/dashboard/",
  plugins: [react()],
  build: {
    outDir: fileURLToPath(new URL("dist/dashboard", import.meta.url)),
    emptyOutDir: true,
    target: "es2023",
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 2000,
    license: { fileName: "NOTICE.md" },
  },
});
