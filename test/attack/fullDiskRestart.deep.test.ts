// A server that starts on a file system that has no room, or too little.
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { isoUtc, MS_PER_MINUTE } from "../../src/base/time.ts";
import { requestJson, ServeProcess, scheduleBody, signIn } from "../cli/serveProcess.ts";
import { START_MS, writeTinyScenario } from "../session/tinyScenario.ts";
import { createTemporaryFolder } from "../temporaryFolder.ts";
import { mountSmall, spaceOf, unmountSmall } from "./smallDisk.ts";

/** Kilobytes that are left free: none, or what the lock takes, or a little more. */
const ROOMS_KB = [0, 4, 8, 12];

const servers: ServeProcess[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.stop("SIGKILL")));
  unmountSmall();
});

describe("a file system that is full when a server starts", () => {
  /** A server with its journal on the disk, and the end of one that does not start. */
  function starter(disk: string) {
    const cwd = createTemporaryFolder("cli");
    const args = [writeTinyScenario(cwd), "--paused", "--journal", join(disk, "a.journal"), "--rate-limits", "off"];
    return () => {
      const server = new ServeProcess([...args, "--port", "0", "--auth-port", "0"], cwd);
      servers.push(server);
      return server;
    };
  }
  const fill = (disk: string, roomKb: number): void => {
    const ballast = join(disk, "ballast");
    rmSync(ballast, { force: true });
    writeFileSync(ballast, Buffer.alloc(Math.max(0, spaceOf(disk) - 1_024 * roomKb)));
  };

  test("a restart reports it, changes nothing, and continues when there is space", async (context) => {
    const disk = mountSmall(400);
    if (disk === null) return context.skip("a small file system cannot be mounted here");
    const start = starter(disk);
    const first = start();
    const at = await first.waitUntilReady();
    const { vppId, sites, headers } = await signIn(at);
    const minute = (k: number) => isoUtc(START_MS + 3 * 60 * MS_PER_MINUTE + k * MS_PER_MINUTE);
    const answered: string[] = [];
    for (let k = 0; k < 20; k++) {
      const body = scheduleBody(sites, minute(k), minute(k + 1));
      const { status, text } = await requestJson(
        "POST",
        `${at.base_url}/v1/vpp/${vppId}/control/active_power`,
        body,
        headers,
      );
      expect(status).toBe(200);
      answered.push(JSON.parse(text).schedule_id);
    }
    await first.stop("SIGKILL");
    const journal = readFileSync(join(disk, "a.journal"));
    let refused = 0;
    for (const roomKb of ROOMS_KB) {
      fill(disk, roomKb);
      const again = start();
      const end = await Promise.race([
        again.exited,
        again
          .waitUntilReady()
          .then(() => null)
          .catch(() => again.exited),
      ]);
      if (end === null) await again.stop("SIGKILL");
      else {
        refused++;
        expect(end.status).toBe(1);
        expect(end.stderr).toMatch(
          /journal \S+a\.journal cannot be written: ENOSPC.*; free space on the disk and start the server again/,
        );
        expect(end.stderr).not.toMatch(/^ {4}at /m);
      }
      expect(readFileSync(join(disk, "a.journal")).subarray(0, journal.length).equals(journal)).toBe(true);
    }
    expect(refused).toBeGreaterThan(0);
    rmSync(join(disk, "ballast"));
    const last = start();
    const url = `${(await last.waitUntilReady()).base_url}/v1/vpp/${vppId}/control/active_power/schedules`;
    const shown = (await requestJson("GET", url, undefined, headers)).text;
    for (const id of answered) expect(shown).toContain(id);
    expect((await last.stop()).status).toBe(0);
    expect(readdirSync(disk)).toEqual(["a.journal"]);
  });

  test("a first start reports it, and begins when there is space", async (context) => {
    const disk = mountSmall(100);
    if (disk === null) return context.skip("a small file system cannot be mounted here");
    const start = starter(disk);
    for (const roomKb of [0, 4]) {
      fill(disk, roomKb);
      const { status, stderr } = await start().exited;
      expect(status).toBe(1);
      expect(stderr).toMatch(
        /a\.journal cannot be written: ENOSPC.*; free space on the disk and start the server again/,
      );
    }
    rmSync(join(disk, "ballast"));
    const server = start();
    await server.waitUntilReady();
    expect((await server.stop()).status).toBe(0);
  });
});
