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
import { fleetYaml } from "./liveFleet.ts";
import { BUILT_COMMAND, LiveProcess } from "./liveProcess.ts";

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

export interface PacingOptions {
  readonly members: number;
  readonly readers: number;
  readonly speed: number;
  readonly seconds: number;
}

export async function run(options: PacingOptions, command: readonly string[] = BUILT_COMMAND): Promise<PacingRow> {
  const { members, readers, speed, seconds } = options;
  const folder = mkdtempSync(join(tmpdir(), "vppsim-pacing-"));
  try {
    const file = join(folder, "scenario.yaml");
    writeFileSync(file, fleetYaml({ members, days: 60, hasAwards: true, hasOutages: true }));
    const server = await LiveProcess.start(command, [file, "--paused", "--journal", join(folder, "journal")]);
    const { vpps } = await server.readCredentials();
    const headers = await server.signIn(vpps[0].refresh_token);
    const counts = await Promise.all(
      Array.from({ length: readers }, () => server.countTelemetry(vpps[0].vpp_id, headers)),
    );
    await server.callSandbox("POST", "/clock/resume", { speed });
    // Compiling is no part of the pace.
    await pause(Math.min(3_000, seconds * 500));
    const [before, beganMs, from] = [server.readUsage(), performance.now(), await nowOf(server)];
    await pause(seconds * 1_000);
    const [after, endedMs, clock] = [server.readUsage(), performance.now(), await server.callSandbox("GET", "/clock")];
    const realS = (endedMs - beganMs) / 1_000;
    await server.stop("SIGTERM");
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
  Date.parse(String((await server.callSandbox("GET", "/clock")).now));

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const seconds = Number(process.argv[2] ?? 60);
  const speed = Number(process.argv[3] ?? 3_600);
  for (const readers of [0, 5, 50]) console.log(await run({ members: 100, readers, speed, seconds }));
}
