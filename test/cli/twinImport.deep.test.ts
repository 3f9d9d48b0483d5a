import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { calmServedScenario } from "../session/tinyScenario.ts";
import { createTemporaryFolder } from "../temporaryFolder.ts";
import { Relay } from "../twin/relay.ts";
import { filesOf, ServedPlant } from "../twin/servedPlant.ts";
import { startVppsim } from "./runVppsim.ts";

/** Requests of one process until it is killed. */
const REQUESTS = 10;

test("an import that is killed at every tenth request continues by the same command to the same bytes", async () => {
  const plant = await ServedPlant.open(
    calmServedScenario("{at: 2026-04-01T03:10:05Z, kind: outage, site: battery-1, duration: PT20M}"),
    "2026-04-01T05:30:00Z",
  );
  let child: ChildProcess | null = null;
  let left = Number.POSITIVE_INFINITY;
  const relay = await Relay.open(plant.live.baseUrl, () => {
    if (--left > 0) return null;
    child?.kill("SIGKILL");
    return { kind: "reset" };
  });
  const cwd = createTemporaryFolder("killed-import");
  const { vppId, authUrl, token, siteTokens } = plant.options();
  writeFileSync(join(cwd, "token.txt"), token.token);
  writeFileSync(
    join(cwd, "sites.csv"),
    ["ems_id,refresh_token", ...[...siteTokens].map(([emsId, site]) => `${emsId},${site.token}`)].join("\n"),
  );
  const access = `--vpp ${vppId} --auth-url ${authUrl} --token-file token.txt --site-tokens sites.csv`.split(" ");
  const run = async (out: string, requests: number): Promise<string> => {
    left = requests;
    child = startVppsim(["twin", "import", relay.url, ...access, "--out", out], cwd);
    let text = "";
    child.stdout?.on("data", (part) => (text += part));
    child.stderr?.on("data", (part) => (text += part));
    const [status, signal] = await once(child, "close");
    return signal ?? (status === 0 ? "ended" : text);
  };
  try {
    expect(await run("whole", Number.POSITIVE_INFINITY)).toBe("ended");
    const ends: string[] = [];
    while (ends.length === 0 || ends.at(-1) === "SIGKILL") {
      ends.push(await run("parts", REQUESTS));
      if (ends.at(-1) === "SIGKILL") expect(readdirSync(join(cwd, "parts"))).toEqual(["answers"]);
    }
    expect(ends.pop()).toBe("ended");
    expect(ends.length).toBeGreaterThanOrEqual(2);
    expect(filesOf(join(cwd, "parts"))).toEqual(filesOf(join(cwd, "whole")));
  } finally {
    await relay.close();
    await plant.close();
  }
});
