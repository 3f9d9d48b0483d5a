import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    // Not how long tests take, but when one hangs: a machine that does other things too may need six times as long.
    testTimeout: 180_000,
    hookTimeout: 180_000,
  },
});
