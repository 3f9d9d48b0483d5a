import { appendFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { encodeLine, PLAIN_FRAME } from "../../src/platform/node/checkedLine.ts";
import { requestJson, startServer } from "../cli/serveProcess.ts";
import { START_MS, writeTinyScenario } from "../session/tinyScenario.ts";
import { createTemporaryFolder } from "../temporaryFolder.ts";

const COMMANDS = 80;
/** More than one request may register: each command is refused, and recorded. */
const SLOTS = 7_500;
const HEAP_MB = 80;

test("a server starts from a journal whose commands do not fit into its heap as objects", async () => {
  const cwd = createTemporaryFolder("large-journal");
  const args = [writeTinyScenario(cwd), "--paused", "--journal", "a.journal", "--rate-limits", "off"];
  const first = await startServer(cwd, ...args);
  const { sites } = JSON.parse((await requestJson("GET", `${first.at.base_url}/sandbox/credentials`)).text);
  await first.stop("SIGKILL");
  const journal = join(cwd, "a.journal");
  const baselines = Array.from({ length: SLOTS }, (_, k) => ({
    start_time: "2026-04-01T05:00:00Z",
    end_time: "2026-04-01T05:30:00Z",
    baseline_kw: k,
  }));
  const { ems_id } = sites[0];
  const request = {
    api: "site-v2",
    id: ems_id,
    method: "POST",
    path: "/baseline",
    query: {},
    body: { ems_id, baselines },
  };
  const records = readFileSync(journal, "utf8").trimEnd().split("\n");
  const at_ms = START_MS;
  for (let k = 0; k < COMMANDS; k++) {
    const entry = { kind: "request", at_ms, request, idempotency_key: `key-${k}` };
    appendFileSync(journal, encodeLine(PLAIN_FRAME, records.length + k, Buffer.from(JSON.stringify(entry))));
  }
  vi.stubEnv("NODE_OPTIONS", `--max-old-space-size=${HEAP_MB}`);
  const second = await startServer(cwd, ...args).finally(() => vi.unstubAllEnvs());
  expect(second.at.resumed).toBe(true);
  await second.stop();
});
