// The test suite of docs/sandbox.md, run from the document.
import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createTemporaryFolder } from "../../temporaryFolder.ts";
import { PROJECT_ROOT } from "../../tidySource.ts";
import { startClientServer } from "./clientServer.ts";

const DOCUMENT = readFileSync(join(PROJECT_ROOT, "docs/sandbox.md"), "utf8");

test("the suite of docs/sandbox.md passes, and fails for a client that does not wait", async () => {
  const [, suite] = /```js\n\/\/ client\.test\.mjs\n(.*?)```/s.exec(DOCUMENT) ?? [];
  const server = await startClientServer();
  const run = (source: string): Promise<string> => {
    const file = join(createTemporaryFolder("client-suite"), "client.test.mjs");
    writeFileSync(file, source);
    const env = { ...process.env, BASE_URL: server.baseUrl, AUTH_URL: server.authUrl, NODE_TEST_CONTEXT: undefined };
    return new Promise((resolve) => {
      execFile(process.execPath, ["--test", file], { env }, (_error, stdout) => resolve(stdout));
    });
  };
  const passed = await run(suite);
  expect(passed).toMatch(/^# pass 2$/m);
  expect(passed).toMatch(/^# fail 0$/m);
  const impatient = suite.replace(/await sandbox\("POST", "clock\/advance".*?\);/, ";");
  expect(impatient).not.toBe(suite);
  expect(await run(impatient)).toMatch(/^# fail 1$/m);
  await server.close();
});
