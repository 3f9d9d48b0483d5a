import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

const tests = "test/**/*.test.ts";
const deepTests = "test/**/*.deep.test.ts";

/** The project that runs unless --project names another. Vitest takes it here too, though its types do not say so. */
const runsByItself = { project: "fast" };

const HANGS_MS = 180_000 * Math.max(1, Number(process.env.VPPSIM_DEPTH ?? 1));

export default defineConfig({
  test: {
    ...runsByItself,
    maxWorkers: Math.max(2, availableParallelism()),
    // Modules are loaded once a worker, not once a file: that saves two thirds of the time outside the tests.
    isolate: false,
    setupFiles: ["test/fastCheckDefaults.ts", "test/afterEachFile.ts"],
    globalSetup: ["test/temporaryRoot.ts"],
    reporters: ["default", "./test/skippedTests.ts"],
    // They only end what hangs: no test may depend on how fast the machine is.
    testTimeout: HANGS_MS,
    hookTimeout: HANGS_MS,
    expect: { poll: { timeout: HANGS_MS / 2 } },
    // test/README.md says what each is for.
    projects: [
      { extends: true, test: { name: "fast", include: [tests], exclude: [deepTests] } },
      {
        extends: true,
        test: {
          name: "deep",
          include: [tests],
          globalSetup: ["test/buildFirst.ts"],
          env: { VPPSIM_DEPTH: process.env.VPPSIM_DEPTH ?? "1" },
        },
      },
    ],
  },
});
