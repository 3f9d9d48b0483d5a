/**
 * What a running clock costs: a server of 100 members with half-hour awards at 3,600 simulated seconds in a real one, with
 * and without telemetry readers, as a share of one core.
 *
 *   npx tsx bench/pacing.ts [seconds] [speed]
 *
 * Needs `npm run build`. What the clock has reached at the end must be what its speed promises.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { WebSocket } from "ws";
import { isoUtc } from "../src/base/time.ts";
import { BUILT, LiveProcess } from "./liveProcess.ts";

export interface PacingRow {
  readonly members: number;
  readonly readers: number;
  readonly speed: number;
  /** Share of one core that the server used. */
  readonly corePct: number;
  /** Simulated seconds in a real one, over the whole time. */
  readonly achieved: number;
  readonly lagSeconds: number;
  /** Telemetry messages that all readers were sent. */
  readonly messages: number;
}

const START_MS = Date.parse("2026-04-01T00:00:00Z");
const DAYS = 60;
const HALF_HOUR_MS = 1_800_000;

/** Batteries that fail now and then, told something else each half hour. */
function scenarioOf(members: number): string {
  const awards = Array.from({ length: DAYS * 48 }, (_, k) => {
    const startMs = START_MS + k * HALF_HOUR_MS;
    const deltaKw = (k % 2 === 0 ? -1 : 1) * (10 + (k % 7)) * members;
    return `  - {vpp: east, sku: frr, start: ${isoUtc(startMs)}, end: ${isoUtc(startMs + HALF_HOUR_MS)}, delta_kw: ${deltaKw}, registered_at: ${isoUtc(Math.max(START_MS, startMs - HALF_HOUR_MS))}}`;
  });
  return `
version: 1
name: pacing
start: ${isoUtc(START_MS)}
end: ${isoUtc(START_MS + DAYS * 86_400_000)}
seed: 1
sites:
  - name: battery-{n}
    count: ${members}
    components:
      - {component_id: bat, component_type: battery, rated_cap: 500, import_pwr_max: 200, export_pwr_max: 200, soc_op_min: 10, soc_op_max: 90, model: {initial_soc: 50}}
    outages: {mtbf: P20D, mttr: PT2H}
vpps:
  - name: east
    members: [{site: "battery-*", resource_type: battery}]
awards:
${awards.join("\n")}
`;
}

export interface PacingOptions {
  readonly members: number;
  readonly readers: number;
  readonly speed: number;
  readonly seconds: number;
}

export async function run(options: PacingOptions, command: readonly string[] = BUILT): Promise<PacingRow> {
  const { members, readers, speed, seconds } = options;
  const folder = mkdtempSync(join(tmpdir(), "vppsim-pacing-"));
  try {
    const file = join(folder, "scenario.yaml");
    writeFileSync(file, scenarioOf(members));
    const server = await LiveProcess.start(command, [file, "--paused", "--journal", join(folder, "journal")]);
    const counts = await Promise.all(Array.from({ length: readers }, () => listen(server)));
    await server.sandbox("POST", "/clock/resume", { speed });
    // Compiling is no part of the pace.
    await pause(Math.min(3_000, seconds * 500));
    const [before, beganMs, from] = [server.usage(), performance.now(), await nowOf(server)];
    await pause(seconds * 1_000);
    const [after, endedMs, clock] = [server.usage(), performance.now(), await server.sandbox("GET", "/clock")];
    const realS = (endedMs - beganMs) / 1_000;
    await server.end("SIGTERM");
    return {
      members,
      readers,
      speed,
      corePct: Math.round((1_000 * (after.cpuS - before.cpuS)) / realS) / 10,
      achieved: Math.round((Date.parse(String(clock.now)) - from) / 1_000 / realS),
      lagSeconds: Number(clock.lag_seconds),
      messages: counts.reduce((sum, { messages }) => sum + messages, 0),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const nowOf = async (server: LiveProcess): Promise<number> =>
  Date.parse(String((await server.sandbox("GET", "/clock")).now));

/** A reader of the VPP's telemetry that only counts. */
async function listen(server: LiveProcess): Promise<{ readonly messages: number }> {
  const { vpps } = (await server.sandbox("GET", "/credentials")) as {
    vpps: { vpp_id: string; refresh_token: string }[];
  };
  const headers = await server.signIn(vpps[0].refresh_token);
  const url = `${server.baseUrl.replace("http", "ws")}/v1/vpp/${vpps[0].vpp_id}/telemetry`;
  const socket = new WebSocket(url, { headers });
  const count = { messages: 0 };
  socket.on("message", () => count.messages++);
  await new Promise((resolve, reject) => socket.once("open", resolve).once("error", reject));
  return count;
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const seconds = Number(process.argv[2] ?? 60);
  const speed = Number(process.argv[3] ?? 3_600);
  for (const readers of [0, 5, 50]) console.log(await run({ members: 100, readers, speed, seconds }));
}
