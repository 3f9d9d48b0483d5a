// Studies through a real Redis server, with worker processes that are killed in the middle.
import type { ChildProcess } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { InputErrors } from "../../src/base/inputError.ts";
import { QueueExecutor } from "../../src/study/node/queue/queueExecutor.ts";
import { runStudy } from "../../src/study/node/runStudy.ts";
import { readStudy } from "../../src/study/readStudy.ts";
import { inlineExecutor } from "../../src/study/workers/evaluationRunner.ts";
import { runVppsim, startVppsim } from "../cli/runVppsim.ts";
import { createTemporaryFolder } from "../temporaryFolder.ts";
import { freePort, needingRedis, RedisServer } from "./redisServer.ts";
import { openEvaluator, STUDY_HEAD, sortedResults, TWO_BATTERIES } from "./studyFixtures.ts";

const folder = createTemporaryFolder("queue");

/** Long enough that workers can be killed while it runs. */
const STUDY = `${STUDY_HEAD}parameters:
  - {name: large, path: "weights.v.large", range: [0, 100], steps: 12}
  - {name: small, path: "weights.v.small", range: [0, 100], steps: 12}
seeds: 6
objective: {minimise: shortfall_kwh}
`;

/** Waits until a process has said something on standard error. */
const said = (child: ChildProcess, text: string): Promise<void> =>
  new Promise((done, fail) => {
    let printed = "";
    child.stderr?.on("data", (chunk: Buffer) => {
      printed += chunk.toString();
      if (printed.includes(text)) done();
    });
    child.once("exit", () => fail(new Error(`it ended and said: ${printed}`)));
  });

needingRedis.describe("a study through Redis", () => {
  let url: string;
  let server: RedisServer;
  const workers: ChildProcess[] = [];

  beforeAll(async () => {
    server = await RedisServer.start();
    url = server.url;
    // In a folder of its own: workers do not see it, the files travel.
    writeFileSync(join(folder, "two.yaml"), TWO_BATTERIES);
    writeFileSync(join(folder, "study.yaml"), STUDY);
  });

  afterAll(() => {
    for (const worker of workers) worker.kill("SIGKILL");
    server.remove();
  });

  async function startWorker(): Promise<ChildProcess> {
    const worker = startVppsim(["worker", "--redis", url, "--concurrency", "1"], tmpdir());
    workers.push(worker);
    await said(worker, "waiting for studies and runs");
    return worker;
  }

  const read = (name: string, file: string) => readFileSync(join(folder, name, file), "utf8");

  test("loses nothing and counts nothing twice when a worker is killed, and answers as one thread does", async () => {
    const open = () => readStudy(join(folder, "study.yaml"));
    const alone = open();
    await runStudy(alone, { out: join(folder, "alone"), executor: inlineExecutor(await openEvaluator(alone)) });
    const [first] = await Promise.all([startWorker(), startWorker()]);
    const study = open();
    const executor = await QueueExecutor.open({ url, source: study.source, forkAtMs: null, warn: () => {} });
    try {
      expect(await executor.workerCount()).toBe(2);
      let killedAt = 0;
      await runStudy(study, {
        out: join(folder, "queued"),
        executor,
        onProgress: (done, of) => {
          if (killedAt > 0 || done < of / 3) return;
          killedAt = done;
          first.kill("SIGKILL");
        },
      });
      expect(killedAt).toBeGreaterThan(0);
    } finally {
      await executor.close();
    }
    // The command on the page names the folder of the report.
    for (const file of ["study.csv", "summary.json", "report.html"])
      expect(read("queued", file).replace("/queued/best.patch.yaml", "/alone/best.patch.yaml")).toBe(
        read("alone", file),
      );
    const lines = (name: string) => sortedResults(read(name, "results.jsonl"));
    expect(lines("queued")).toEqual(lines("alone"));
    expect(new Set(lines("queued")).size).toBe(lines("queued").length);
  });

  test("runs from the command line, and a worker ends cleanly", async () => {
    const worker = await startWorker();
    const { status, stdout, stderr } = await new Promise<{ status: number | null; stdout: string; stderr: string }>(
      (done) => {
        const child = startVppsim(["study", "study.yaml", "--redis", url, "--out", "cli", "--json"], folder);
        let [text, errors] = ["", ""];
        child.stdout?.on("data", (chunk: Buffer) => (text += chunk.toString()));
        child.stderr?.on("data", (chunk: Buffer) => (errors += chunk.toString()));
        child.once("exit", (code) => done({ status: code, stdout: text, stderr: errors }));
      },
    );
    expect([status, stderr]).toEqual([0, ""]);
    expect(JSON.parse(stdout).candidates).toBe(144);
    expect(read("cli", "study.csv")).toBe(read("alone", "study.csv"));
    const ended = new Promise<number | null>((done) => worker.once("exit", (code) => done(code)));
    worker.kill("SIGINT");
    expect(await ended).toBe(0);
  });
});

test("a server that does not answer is bad input", async () => {
  const url = `redis://127.0.0.1:${await freePort()}`;
  writeFileSync(join(folder, "two.yaml"), TWO_BATTERIES);
  writeFileSync(join(folder, "study.yaml"), STUDY);
  const { source } = readStudy(join(folder, "study.yaml"));
  await expect(QueueExecutor.open({ url, source, forkAtMs: null, warn: () => {} })).rejects.toThrow(InputErrors);
  const { status, stdout, stderr } = runVppsim(["worker", "--redis", url]);
  expect([status, stdout]).toEqual([2, ""]);
  expect(stderr).toMatch(/--redis: found redis:.*which does not answer \(.*ECONNREFUSED.*\), allowed a Redis server/);
});
