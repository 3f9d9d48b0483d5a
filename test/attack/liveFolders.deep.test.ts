// Folders of reports that several processes write to at the same time, and a disk that is full, under live servers.
import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { isoUtc, MS_PER_MINUTE } from "../../src/base/time.ts";
import { type ProcessResult, startVppsim } from "../cli/runVppsim.ts";
import { requestJson, type ServeProcess, scheduleBody, signIn, startServer } from "../cli/serveProcess.ts";
import { writeTinyScenario } from "../session/tinyScenario.ts";
import { createTemporaryFolder } from "../temporaryFolder.ts";
import { mountSmall, spaceOf, unmountSmall } from "./smallDisk.ts";
import { checkWhole } from "./wholeReport.ts";

const servers: ServeProcess[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.stop("SIGKILL")));
  unmountSmall();
});

async function serve(cwd: string, ...args: string[]) {
  const server = await startServer(cwd, writeTinyScenario(cwd), "--paused", "--rate-limits", "off", ...args);
  servers.push(server);
  return server;
}

const report = (server: { readonly at: { readonly base_url: string } }) =>
  requestJson("POST", `${server.at.base_url}/sandbox/report`, {});

/** Runs the command to its end. */
async function finish(args: readonly string[], cwd: string): Promise<ProcessResult> {
  const child = startVppsim(args, cwd);
  const texts = ["", ""];
  child.stdout?.on("data", (text) => (texts[0] += String(text)));
  child.stderr?.on("data", (text) => (texts[1] += String(text)));
  const status = await new Promise<number | null>((resolve) => child.on("close", resolve));
  return { status, stdout: texts[0], stderr: texts[1] };
}

function writeStudy(cwd: string): string {
  writeTinyScenario(cwd);
  const text = `
version: 1
name: small
scenario: scenario.yaml
parameters:
  - {name: first, path: "weights.east.battery-1", values: [20, 50, 80]}
seeds: 6
method: grid
objective: {minimise: shortfall_kwh}
`;
  writeFileSync(join(cwd, "small.study.yaml"), text);
  return "small.study.yaml";
}

describe("one folder for reports", () => {
  test("of two sessions that write at the same time, one of them killed in between, is whole after each round", async () => {
    const cwd = createTemporaryFolder("cli");
    const out = join(cwd, "out/report");
    for (let round = 0; round < 4; round++) {
      const [first, second] = await Promise.all(
        ["a", "b"].map((name) => serve(createTemporaryFolder("cli"), "--report", out, "--journal", `${name}.journal`)),
      );
      const answers = await Promise.all([report(first), report(second), report(first), report(second)]);
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
      expect(checkWhole(out).kind).toBe("run");
      const interrupted = Promise.allSettled([report(first), report(second)]);
      let isOver = false;
      interrupted.then(() => {
        isOver = true;
      });
      // While a report is staged, or at once if both were written before anybody could look.
      while (!isOver && readdirSync(join(cwd, "out")).length < 2) await new Promise((resolve) => setImmediate(resolve));
      second.kill("SIGKILL");
      const [kept] = await interrupted;
      expect(kept).toMatchObject({ status: "fulfilled", value: { status: 200 } });
      expect(checkWhole(out).kind).toBe("run");
      await first.stop();
      expect(checkWhole(out).kind).toBe("run");
    }
    const last = await serve(createTemporaryFolder("cli"), "--report", out);
    expect((await report(last)).status).toBe(200);
    await last.stop();
    expect(readdirSync(join(cwd, "out"))).toEqual(["report"]);
  });

  test("of a session and of studies has one study at a time, and is always a complete report", async () => {
    const cwd = createTemporaryFolder("cli");
    const study = writeStudy(cwd);
    const out = join(cwd, "out/report");
    const server = await serve(cwd, "--report", out);
    const studies = Promise.all([1, 2].map(() => finish(["study", study, "--out", out], cwd)));
    let isOver = false;
    const over = studies.finally(() => {
      isOver = true;
    });
    while (!isOver) {
      expect((await report(server)).status).toBe(200);
      checkWhole(out);
    }
    await over;
    const [won, refused] = (await studies).toSorted((a, b) => Number(a.status) - Number(b.status));
    expect(won.status, won.stderr).toBe(0);
    // A study that begins when the other one has ended replaces its report.
    if (refused.status !== 0) expect(refused.stderr).toMatch(/is in use by the process \d+|writes to/);
    await server.stop();
    checkWhole(out);
    expect(readdirSync(join(cwd, "out"))).toEqual(["report"]);
  });
});

test("a full file system under a live server loses no answered command and no report", async (context) => {
  const disk = mountSmall(2_000);
  if (disk === null) return context.skip("a small file system cannot be mounted here");
  const cwd = createTemporaryFolder("cli");
  const args = ["--journal", join(disk, "a.journal"), "--report", join(disk, "report")];
  const server = await serve(cwd, ...args);
  const { vppId, sites, headers } = await signIn(server.at);
  const minute = (k: number) => isoUtc(Date.parse("2026-04-01T03:00:00Z") + k * MS_PER_MINUTE);
  const command = async (k: number) => {
    const body = scheduleBody(sites, minute(k), minute(k + 1));
    const key = { ...headers, "idempotency-key": `key-${k}` };
    return requestJson("POST", `${server.at.base_url}/v1/vpp/${vppId}/control/active_power`, body, key);
  };
  const send = async (k: number) => command(k).catch(() => ({ status: 0, text: "" }));
  expect((await report(server)).status).toBe(200);
  // The report of now does not fit beside the old one any more.
  writeFileSync(join(disk, "ballast"), Buffer.alloc(spaceOf(disk) - 16_000));
  const failed = await report(server);
  expect(failed.status).toBeGreaterThanOrEqual(500);
  expect(failed.text).toMatch(/ENOSPC|no space/i);
  checkWhole(join(disk, "report"));
  expect(readdirSync(disk).filter((name) => name.startsWith(".report"))).toEqual([]);
  const answered: string[] = [];
  for (let k = 1; k <= 170; k++) {
    const { status, text } = await send(k);
    if (status === 200) answered.push(text);
    else break;
  }
  expect(answered.length).toBeGreaterThan(5);
  expect(answered.length).toBeLessThan(170);
  expect((await server.exited).status).toBe(1);
  expect(server.stderr).toMatch(/ENOSPC|no space/i);
  checkWhole(join(disk, "report"));
  rmSync(join(disk, "ballast"));

  const again = await serve(cwd, ...args);
  const url = `${again.at.base_url}/v1/vpp/${vppId}/control/active_power/schedules`;
  const shown = (await requestJson("GET", url, undefined, headers)).text;
  for (const text of answered)
    expect(shown).toContain((JSON.parse(text) as { readonly schedule_id: string }).schedule_id);
  expect((await report(again)).status).toBe(200);
  expect((await again.stop()).status).toBe(0);
  checkWhole(join(disk, "report"));
});
