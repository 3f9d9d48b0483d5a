// Runs whose parts go through a real Redis server to worker processes.
import type { ChildProcess } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Job, Queue, Worker } from "bullmq";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { writePortfolio } from "../../bench/portfolio.ts";
import { runScenario } from "../../src/report/runScenario.ts";
import { RunStopped } from "../../src/report/runStopped.ts";
import { buildScenario } from "../../src/scenario/loadScenario.ts";
import { InputErrors } from "../../src/scenario/parse/inputError.ts";
import { diskFiles } from "../../src/scenario/parse/scenarioFiles.ts";
import { ScenarioSource } from "../../src/scenario/scenarioSource.ts";
import { QueueError } from "../../src/study/queue/queueError.ts";
import {
  partKey,
  piecesDigestOf,
  type QueuedPart,
  RUN_QUEUE,
  RUN_QUEUE_PREFIX,
} from "../../src/study/queue/queueNames.ts";
import { openQueuePartsHosts } from "../../src/study/queue/queuePartsHosts.ts";
import { runVppsim, startVppsim } from "../cli/runVppsim.ts";
import { createTemporaryFolder } from "../temporaryFolder.ts";
import { changeFiles, ended, hasRedis, RedisServer } from "./redisServer.ts";

const VPPS = 6;
const LOAD = { seed: 4 };
const folder = createTemporaryFolder("queue-parts");

/** Content of every file of a report but run.json, which holds the timings. */
const bytesOf = (name: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(join(folder, name))
      .filter((file) => file !== "run.json")
      .map((file) => [file, readFileSync(join(folder, name, file), "latin1")]),
  );

describe.skipIf(!hasRedis)("a run through Redis", () => {
  let server: RedisServer;
  const workers: ChildProcess[] = [];

  beforeAll(async () => {
    server = await RedisServer.start();
    writePortfolio(folder, { vpps: VPPS, members: 100, days: 1 });
    await runScenario(buildScenario(openSource(), LOAD), { out: join(folder, "alone") });
  });
  afterEach(async () => {
    await Promise.all(workers.splice(0).map(ended));
    server.call("FLUSHALL");
  });
  afterAll(() => server.remove());

  const openSource = () => new ScenarioSource(join(folder, "scenario.yaml"), diskFiles);

  async function startWorker(): Promise<ChildProcess> {
    const worker = startVppsim(["worker", "--redis", server.url, "--concurrency", "1"], folder);
    workers.push(worker);
    let printed = "";
    worker.stderr?.on("data", (chunk: Buffer) => (printed += chunk.toString()));
    await expect.poll(() => printed).toContain("waiting for studies and runs");
    return worker;
  }

  /** @param onPart called with the number of finished parts */
  async function runQueued(
    name: string,
    onPart: (count: number) => unknown = () => {},
    {
      signal = new AbortController().signal,
      pollMs = 200,
      giveUpMs = 60_000,
      url = server.url,
      warn = (_text: string): void => {},
    } = {},
  ): Promise<void> {
    const source = openSource();
    const timings = { pollMs, giveUpMs };
    const options = { url, source, load: LOAD, signal, warn, timings };
    await runScenario(buildScenario(source, LOAD), {
      out: join(folder, name),
      signal,
      openPartsHosts: (recording, partCount) => openQueuePartsHosts(options, recording, partCount),
      onProgress: (done) => void onPart(Math.round(VPPS * done)),
    });
  }

  test("gives the same bytes when a worker is killed, and leaves nothing on the server", async () => {
    const [first] = await Promise.all([startWorker(), startWorker()]);
    const counts: number[] = [];
    await runQueued("killed", (count) => {
      counts.push(count);
      if (count === 1) first.kill("SIGKILL");
    });
    expect(counts).toEqual([1, 2, 3, 4, 5, 6]);
    expect(bytesOf("killed")).toEqual(bytesOf("alone"));
    expect(server.call("keys", "vppsim-study:*")).toBe("\n");
  });

  test("gives the same bytes when the server loses its data", async () => {
    await startWorker();
    await runQueued("flushed", (count) => count === 2 && server.call("FLUSHALL"));
    expect(bytesOf("flushed")).toEqual(bytesOf("alone"));
  });

  test("gives the same bytes from the command line", async () => {
    await startWorker();
    const words = ["run", "scenario.yaml", "--seed", "4", "--redis", server.url, "--out", "cli", "--json"];
    const child = startVppsim(words, folder);
    let errors = "";
    child.stderr?.on("data", (chunk: Buffer) => (errors += chunk.toString()));
    const status = await new Promise((done) => child.once("close", done));
    expect([status, errors]).toEqual([0, ""]);
    expect(bytesOf("cli")).toEqual(bytesOf("alone"));
  });

  test("that is stopped without a worker ends without a report", async () => {
    const stop = new AbortController();
    const run = runQueued("stopped", () => {}, { signal: stop.signal });
    run.catch(() => {});
    await expect.poll(() => server.call("keys", "bull:*:wait").trim()).not.toBe("");
    stop.abort();
    await expect(run).rejects.toThrow(RunStopped);
    expect(existsSync(join(folder, "stopped"))).toBe(false);
    expect(server.call("keys", "vppsim-study:*")).toBe("\n");
  });

  test("ends with a message when the server loses its jobs repeatedly", async () => {
    const flushes = setInterval(() => server.call("FLUSHALL"), 100);
    try {
      const run = runQueued("lost", () => {}, { pollMs: 50 });
      await expect(run).rejects.toThrow(QueueError);
      await expect(run).rejects.toThrow(/has lost or refused parts of this run 10 times; .* then run again$/);
    } finally {
      clearInterval(flushes);
    }
    expect(existsSync(join(folder, "lost"))).toBe(false);
  });

  test("gives the same bytes when the server is started again without its data", async () => {
    await startWorker();
    await runQueued("restarted", (count) => count === 2 && server.restart());
    expect(bytesOf("restarted")).toEqual(bytesOf("alone"));
  });

  test("leaves the foreign jobs in the queue", async () => {
    const queue = new Queue(RUN_QUEUE, { connection: { host: "127.0.0.1", port: server.port } });
    const foreign: unknown[] = [
      {},
      null,
      "text",
      { studyKey: "x", part: 0 },
      { studyKey: "", part: "1", partCount: -1 },
    ];
    await Promise.all(foreign.map((data, k) => queue.add("other", data, { jobId: `other-${k}` })));
    await startWorker();
    await runQueued("foreign");
    expect(bytesOf("foreign")).toEqual(bytesOf("alone"));
    const states = await Promise.all(foreign.map((_, k) => queue.getJobState(`other-${k}`)));
    for (const state of states) expect(["delayed", "waiting", "active"]).toContain(state);
    expect(await queue.getFailedCount()).toBe(0);
    await queue.close();
  });

  test("stops in words when somebody changes the scenario's files on the server", async () => {
    const stopped = expect(runQueued("changed-files")).rejects.toThrow(
      /a worker could not run a part: the Redis server has other files of the scenario/,
    );
    await changeFiles(server);
    await startWorker();
    await stopped;
    expect(existsSync(join(folder, "changed-files"))).toBe(false);
  });

  test("is not run by a worker of another version, which reports that", async () => {
    const connection = { host: "127.0.0.1", port: server.port };
    const taken: string[] = [];
    const other = new Worker(`${RUN_QUEUE_PREFIX}-99.0.0-2`, async ({ name }) => taken.push(name), { connection });
    await other.waitUntilReady();
    const warnings: string[] = [];
    const run = runQueued("versions", () => {}, { warn: (text) => void warnings.push(text) });
    await expect.poll(() => warnings.join()).toMatch(/\(1 of other versions cannot run it\)/);
    await startWorker();
    await run;
    await other.close();
    expect(taken).toEqual([]);
    expect(bytesOf("versions")).toEqual(bytesOf("alone"));
  });

  test.each<[string, (job: Job<QueuedPart>) => Promise<unknown>]>([
    ["fails", () => Promise.reject(new Error("no room in /tmp"))],
    ["answers nonsense", async () => [{ kpis: 1 }]],
    ["answers a negative number of pieces", async () => ({ pieces: -1, sha256: "" })],
    [
      "has stored rows that somebody changed",
      async ({ data }) => {
        server.call("rpush", partKey(data.studyKey, data.part), "changed");
        return { pieces: 1, sha256: piecesDigestOf([Buffer.from("rows")]) };
      },
    ],
  ])("stops with a message when a worker %s", async (name, answer) => {
    const worker = new Worker(RUN_QUEUE, answer, { connection: { host: "127.0.0.1", port: server.port } });
    try {
      const run = runQueued(name);
      await expect(run).rejects.toThrow(QueueError);
      await expect(run).rejects.toThrow(
        /a worker could not run a part: no room in \/tmp|has a result that is none|is not as a worker has stored it/,
      );
      expect(existsSync(join(folder, name))).toBe(false);
    } finally {
      await worker.close();
    }
  });

  test.each<NodeJS.Signals>(["SIGKILL", "SIGSTOP"])(
    "stops with a message without the password when the server gets %s in the middle",
    async (signal) => {
      const other = await RedisServer.start(["--requirepass", "secret"]);
      try {
        const url = `redis://:secret@127.0.0.1:${other.port}`;
        const worker = startVppsim(["worker", "--redis", url, "--concurrency", "1"], folder);
        workers.push(worker);
        const warnings: string[] = [];
        const options = { url, pollMs: 100, giveUpMs: 1_000, warn: (text: string) => void warnings.push(text) };
        const run = runQueued(signal, (count) => count === 2 && other.signal(signal), options);
        await expect(run).rejects.toThrow(QueueError);
        await expect(run).rejects.toThrow(/has not answered for 1 s; no report was written/);
        expect(warnings.join("\n")).toContain(`redis://127.0.0.1:${other.port} does not answer; waiting up to 1 s`);
        expect(`${warnings.join("\n")} ${await run.catch(String)}`).not.toContain("secret");
        expect(existsSync(join(folder, signal))).toBe(false);
      } finally {
        other.remove();
      }
    },
  );

  test("does not begin with files that have changed since they were read", async () => {
    const source = openSource();
    buildScenario(source, LOAD);
    const awards = join(folder, "awards.csv");
    const before = readFileSync(awards, "utf8");
    writeFileSync(awards, `${before}\n`);
    try {
      const options = { url: server.url, source, load: LOAD, signal: new AbortController().signal, warn: () => {} };
      const opening = openQueuePartsHosts(options, { intervalMs: 1, tables: [] }, 2);
      await expect(opening).rejects.toThrow(InputErrors);
      await expect(opening).rejects.toThrow(/awards\.csv: found another content than when the scenario was read/);
    } finally {
      writeFileSync(awards, before);
    }
  });

  test("of one part runs in its own process, and states that", () => {
    writePortfolio(join(folder, "one"), { vpps: 1, members: 2, days: 1 });
    const { status, stderr } = runVppsim(["run", join(folder, "one/scenario.yaml"), "--redis", server.url], {
      cwd: join(folder, "one"),
    });
    expect(status).toBe(0);
    expect(stderr).toContain("warning: the scenario is one part, so it ran here and not in workers");
  });
});
