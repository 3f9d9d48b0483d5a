// Studies through a Redis server that loses data or stops.
import type { ChildProcess } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "bullmq";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { QueueExecutor } from "../../src/study/node/queue/queueExecutor.ts";
import { QueueError } from "../../src/study/node/queue/queueNames.ts";
import { runStudy } from "../../src/study/node/runStudy.ts";
import { readStudy } from "../../src/study/readStudy.ts";
import { inlineExecutor } from "../../src/study/workers/evaluationRunner.ts";
import { startVppsim } from "../cli/runVppsim.ts";
import { ended, needingRedis, RedisServer } from "../study/redisServer.ts";
import { openEvaluator, STUDY_HEAD, sortedResults, TWO_BATTERIES } from "../study/studyFixtures.ts";
import { createTemporaryFolder } from "../temporaryFolder.ts";

const STUDY = `${STUDY_HEAD}parameters:
  - {name: large, path: "weights.v.large", range: [0, 100], steps: 12}
  - {name: small, path: "weights.v.small", range: [0, 100], steps: 12}
seeds: 6
objective: {minimise: shortfall_kwh}
`;
const TIMINGS = { pollMs: 200, giveUpMs: 60_000 };

const folder = createTemporaryFolder("queue-faults");
/** Begun with the first test, because it waits a minute. */
let endsAfterMinute: Promise<void> = Promise.resolve();
beforeAll(() => {
  writeFileSync(join(folder, "two.yaml"), TWO_BATTERIES);
  writeFileSync(join(folder, "study.yaml"), STUDY);
  if (needingRedis.isThere) endsAfterMinute = checkEndAfterMinute();
  // The last test reports it.
  endsAfterMinute.catch(() => {});
});

const open = () => readStudy(join(folder, "study.yaml"));
const resultsOf = (name: string) => sortedResults(readFileSync(join(folder, name, "results.jsonl"), "utf8"));

/** What a process writes to standard error, and its end. */
class Spoken {
  text = "";
  readonly child: ChildProcess;
  readonly exited: Promise<number | null>;

  constructor(child: ChildProcess) {
    this.child = child;
    child.stderr?.on("data", (chunk: Buffer) => (this.text += chunk.toString()));
    this.exited = new Promise((done) => child.once("exit", (status) => done(status)));
  }
}

needingRedis.describe("a study through a Redis server", () => {
  let server: RedisServer;
  const children: ChildProcess[] = [];
  let warnings: string[] = [];

  beforeAll(async () => {
    server = await RedisServer.start();
    const study = open();
    await runStudy(study, { out: join(folder, "alone"), executor: inlineExecutor(await openEvaluator(study)) });
  });
  afterEach(async () => {
    await Promise.all(children.splice(0).map(ended));
    // The server has closed the connections of the ended workers before it answers a new one.
    server.call("FLUSHALL");
  });
  afterAll(() => server.remove());

  async function startWorker(): Promise<ChildProcess> {
    const worker = startVppsim(["worker", "--redis", server.url, "--concurrency", "1"], tmpdir());
    children.push(worker);
    const spoken = new Spoken(worker);
    await expect.poll(() => spoken.text).toContain("waiting for studies and runs");
    return worker;
  }

  const openExecutor = (timings = TIMINGS, url = server.url) => {
    warnings = [];
    const { source } = open();
    return QueueExecutor.open({ url, source, forkAtMs: null, warn: (text) => warnings.push(text), timings });
  };

  /** Runs the study and harms it once, when a third of it is done. */
  async function runHarmed(name: string, harm: () => unknown, resume = false): Promise<void> {
    const executor = await openExecutor();
    let harmed: unknown = null;
    try {
      await runStudy(open(), {
        out: join(folder, name),
        executor,
        resume,
        onProgress: (done, of) => {
          if (harmed === null && done >= of / 3) harmed = harm() ?? true;
        },
      });
    } finally {
      await harmed;
      await executor.close();
    }
  }

  test.each<[string, () => unknown]>([
    ["flushed", () => server.call("FLUSHALL")],
    ["restarted", () => server.restart()],
  ])("that has lost its data (%s) ends with a message, and --resume goes on", async (name, harm) => {
    await startWorker();
    const run = runHarmed(name, harm);
    await expect(run).rejects.toThrow(QueueError);
    await expect(run).rejects.toThrow(
      /127\.0\.0\.1:\d+ has lost data; .*; finished runs are stored, and --resume continues/,
    );
    await startWorker();
    await runHarmed(name, () => true, true);
    expect(resultsOf(name)).toEqual(resultsOf("alone"));
    expect(server.call("keys", "vppsim-study:*")).toBe("\n");
  });

  test("that refuses data for want of memory ends with its reason", async () => {
    const executor = await openExecutor();
    server.call("config", "set", "maxmemory", "1");
    try {
      const run = executor.run([{ patch: {}, seeds: [1] }], () => {}, new AbortController().signal);
      await expect(run).rejects.toThrow(/refuses a job \(.*OOM command not allowed.*\); give it memory/);
    } finally {
      server.call("config", "set", "maxmemory", "0");
      await executor.close();
    }
  });

  test("warns without a worker of its version, which alone may take its jobs", async () => {
    const taken: string[] = [];
    const connection = { host: "127.0.0.1", port: server.port };
    const other = new Worker("vppsim-runs-99.0.0-2", async ({ name }) => taken.push(name), { connection });
    await other.waitUntilReady();
    const executor = await openExecutor();
    expect(warnings).toEqual([
      expect.stringMatching(/^no worker of vppsim .* is connected; start one with vppsim worker/),
    ]);
    await startWorker();
    await runStudy(open(), { out: join(folder, "versions"), executor });
    await executor.close();
    await other.close();
    expect(taken).toEqual([]);
    expect(resultsOf("versions")).toEqual(resultsOf("alone"));
  });
});

needingRedis.describe("a Redis server that does not answer any more", () => {
  test.each<[string, NodeJS.Signals]>([
    ["was killed", "SIGKILL"],
    ["hangs", "SIGSTOP"],
  ])("because it %s stops a study with a message without its password", async (_, signal) => {
    const server = await RedisServer.start(["--requirepass", "secret"]);
    const url = `redis://:secret@127.0.0.1:${server.port}`;
    const warnings: string[] = [];
    const warn = (text: string) => void warnings.push(text);
    const { source } = open();
    const timings = { pollMs: 100, giveUpMs: 1_000 };
    const executor = await QueueExecutor.open({ url, source, forkAtMs: null, warn, timings });
    const run = executor.run([{ patch: {}, seeds: [1] }], () => {}, new AbortController().signal);
    server.signal(signal);
    await expect(run).rejects.toThrow(/has not answered for 1 s; finished runs are stored, and --resume continues/);
    await executor.close();
    server.remove();
    expect(warnings.join("\n")).toContain(`redis://127.0.0.1:${server.port} does not answer; waiting up to 1 s`);
    expect(warnings.join("\n")).not.toContain("secret");
  });

  test("ends a study and a worker of the command line with status 1 after a minute", () => endsAfterMinute);
});

/** A study and a worker whose server is killed both wait for it a minute, and end with status 1. */
async function checkEndAfterMinute(): Promise<void> {
  const server = await RedisServer.start();
  const worker = new Spoken(startVppsim(["worker", "--redis", server.url, "--concurrency", "1"], folder));
  await until(() => expect(worker.text).toContain("waiting for studies and runs"));
  worker.child.kill("SIGSTOP");
  const study = new Spoken(startVppsim(["study", "study.yaml", "--redis", server.url, "--out", "gone"], folder));
  // With so short an interval the study is still being opened.
  await until(() => expect(server.call("keys", "*")).toContain("vppsim-study"));
  worker.child.kill("SIGCONT");
  server.signal("SIGKILL");
  expect(await study.exited).toBe(1);
  expect(await worker.exited).toBe(1);
  server.remove();
  for (const { text } of [study, worker]) {
    expect(text).toContain("does not answer; waiting up to 60 s for it");
    expect(text).toContain("has not answered for 60 s; ");
    expect(text).not.toMatch(/\n {4}at /);
  }
}

/** `expect.poll` belongs to one test. */
const until = (holds: () => void): Promise<void> => vi.waitFor(holds, { interval: 1, timeout: 120_000 });
