import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

const tests = "test/**/*.test.ts";
const deepTests = "test/**/*.deep.test.ts";

/** The project that runs unless --project names another. Vitest takes it here too, though its types do not say so. */
const runsByItself = { project: "fast" };

export default defineConfig({
  test: {
    ...runsByItself,
    maxWorkers: Math.max(2, availableParallelism()),
    // Modules are loaded once a worker, not once a file: that saves two thirds of the time outside the tests.
    isolate: false,
    setupFiles: ["test/fastCheckDefaults.ts"],
    // Not how long tests take, but when one hangs: a machine that does other things too may need six times as long.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // test/README.md says what each is for.
    projects: [
      { extends: true, test: { name: "fast", include: [tests], exclude: [deepTests] } },
      {
        extends: true,
        test: { name: "deep", include: [tests], env: { VPPSIM_DEPTH: process.env.VPPSIM_DEPTH ?? "1" } },
      },
    ],
  },
});
