// Folders of reports that several processes write to at the same time, and a disk that is full, under live servers.
import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { isoUtc, MS_PER_MINUTE } from "../../src/base/time.ts";
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
