import { describe, expect, test } from "vitest";
import { type ReadyLine, requestJson, ServeProcess, startServer } from "../cli/serveProcess.ts";
import { writeTinyScenario } from "../session/tinyScenario.ts";
import { createTemporaryFolder } from "../temporaryFolder.ts";

const SLOT = { start_time: "2026-04-01T05:00:00Z", end_time: "2026-04-01T05:30:00Z" };

/** Registers ever higher baselines of one slot, each with an Idempotency-Key, and reads the baseline. */
async function openCalls({ base_url, auth_url }: ReadyLine) {
  const { sites } = JSON.parse((await requestJson("GET", `${base_url}/sandbox/credentials`)).text);
  const { ems_id, refresh_token } = sites[0];
  const bearer = { authorization: `Bearer ${refresh_token}` };
  const { text } = await requestJson("POST", `${auth_url}/auth/refresh`, { refresh_token }, bearer);
  const headers = { authorization: `Bearer ${JSON.parse(text).access_token}` };
  const url = `${base_url}/v2/ems/${ems_id}/baseline`;
  return {
    async register(baseline_kw: number): Promise<number> {
      const body = { ems_id, baselines: [{ ...SLOT, baseline_kw }] };
      return (await requestJson("POST", url, body, { ...headers, "idempotency-key": `key-${baseline_kw}` })).status;
    },
    async shownKw(): Promise<number> {
      const query = new URLSearchParams(SLOT);
      const answer = await requestJson("GET", `${url}?${query}`, undefined, headers);
      return answer.status === 200 ? (JSON.parse(answer.text).baselines[0]?.baseline_kw ?? 0) : 0;
    },
  };
}

describe("a disk that fills up", () => {
  test("loses no answered command and no published value", async () => {
    const cwd = createTemporaryFolder("cli");
    const args = [writeTinyScenario(cwd), "--paused", "--journal", "a.journal", "--rate-limits", "off"];
    const full = new ServeProcess([...args, "--port", "0", "--auth-port", "0"], cwd, 40);
    const { register, shownKw } = await openCalls(await full.waitUntilReady());
    let acknowledgedKw = 0;
    let visibleKw = 0;
    const send = async (kw: number) => {
      const status = await register(kw).catch(() => 0);
      if (status === 200) acknowledgedKw = Math.max(acknowledgedKw, kw);
      return status;
    };
    const look = async () => {
      visibleKw = Math.max(visibleKw, await shownKw().catch(() => 0));
      return 200;
    };
    // Each command has two retries that wait on its key, and reads in between.
    for (let kw = 1, isUp = true; isUp; kw++) {
      const statuses = await Promise.all([send(kw), send(kw), look(), send(kw), look()]);
      expect(statuses.filter((status) => ![0, 200, 500, 503].includes(status))).toEqual([]);
      isUp = statuses.every((status) => status === 200);
    }
    expect((await full.exited).status).toBe(1);
    expect(acknowledgedKw).toBeGreaterThan(10);
    expect(visibleKw).toBeGreaterThan(10);

    const again = await startServer(cwd, ...args);
    const keptKw = await (await openCalls(again.at)).shownKw();
    expect(keptKw).toBeGreaterThanOrEqual(Math.max(acknowledgedKw, visibleKw));
    await again.stop();
  });
});
