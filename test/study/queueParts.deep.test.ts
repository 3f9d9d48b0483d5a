// Runs whose parts go through a real Redis server to worker processes.
import type { ChildProcess } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Worker } from "bullmq";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { writePortfolio } from "../../bench/portfolio.ts";
import { InputErrors } from "../../src/base/inputError.ts";
import { buildScenario } from "../../src/inputs/scenario/loadScenario.ts";
import { ScenarioSource } from "../../src/inputs/scenario/scenarioSource.ts";
import { diskFiles } from "../../src/platform/node/diskFiles.ts";
import { runScenario } from "../../src/report/runScenario.ts";
import { RunStopped } from "../../src/report/runStopped.ts";
import { PLAIN_LAYOUT } from "../../src/report/tables/tableLayout.ts";
import { QueueError, RUN_QUEUE } from "../../src/study/node/queue/queueNames.ts";
import { openQueuePartsHost } from "../../src/study/node/queue/queuePartsHost.ts";
import { runVppsim, startVppsim } from "../cli/runVppsim.ts";
import { createTemporaryFolder } from "../temporaryFolder.ts";
import { ended, needingRedis, RedisServer } from "./redisServer.ts";

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

needingRedis.describe("a run through Redis", () => {
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
      openPartsHost: (recording, partCount) => openQueuePartsHost(options, recording, partCount),
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

  test("ends with a message when the server loses its data", async () => {
    await startWorker();
    const run = runQueued("flushed", (count) => count === 2 && server.call("FLUSHALL"));
    await expect(run).rejects.toThrow(QueueError);
    await expect(run).rejects.toThrow(/has lost data; .*no report was written; run again$/);
    expect(existsSync(join(folder, "flushed"))).toBe(false);
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

  test("ends with the reason of a worker that fails", async () => {
    const connection = { host: "127.0.0.1", port: server.port };
    const worker = new Worker(RUN_QUEUE, () => Promise.reject(new Error("no room in /tmp")), { connection });
    try {
      await expect(runQueued("failed")).rejects.toThrow(
        "a worker failed: no room in /tmp; no report was written; run again",
      );
      expect(existsSync(join(folder, "failed"))).toBe(false);
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
      const formats = { texts: [], layout: PLAIN_LAYOUT, hasCells: false };
      const opening = openQueuePartsHost(options, { intervalMs: 1, tables: [], formats }, 2);
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
