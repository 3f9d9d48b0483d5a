/**
 * How long a server takes to come back after a crash: a simulated week of commands through the APIs, kill −9, the same
 * command line again, until /health answers.
 *
 *   npx tsx bench/restart.ts [commands an hour] [hours]
 *
 * Needs `npm run build`. The state hash of before and after must be the same one.
 */
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { isoUtc } from "../src/base/time.ts";
import { RandomStreams } from "../src/kernel/random.ts";
import { BUILT, LiveProcess } from "./liveProcess.ts";

export interface RestartRow {
  readonly members: number;
  readonly commands: number;
  readonly journalMb: number;
  /** Seconds until /health answered: with nothing to replay, and after the crash. */
  readonly freshS: number;
  readonly restartS: number;
  /** Of the server's state, before the crash and after it. */
  readonly hash: string;
}

export interface Week {
  readonly members: number;
  readonly hours: number;
  readonly commandsPerHour: number;
}

const START_MS = Date.parse("2026-04-01T00:00:00Z");
const HOUR_MS = 3_600_000;
const STEPS_PER_HOUR = 6;

/** Batteries that fail now and then. */
const scenarioOf = ({ members, hours }: Week): string => `
version: 1
name: week
start: ${isoUtc(START_MS)}
end: ${isoUtc(START_MS + (hours + 24) * HOUR_MS)}
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
`;

export async function run(week: Week, command: readonly string[] = BUILT): Promise<RestartRow> {
  const folder = mkdtempSync(join(tmpdir(), "vppsim-restart-"));
  try {
    const file = join(folder, "scenario.yaml");
    const journal = join(folder, "journal");
    writeFileSync(file, scenarioOf(week));
    const args = [file, "--paused", "--rate-limits", "off", "--journal", journal];
    const first = await LiveProcess.start(command, args);
    const commands = await live(first, week);
    const { hash } = await first.sandbox("GET", "/state-hash");
    await first.end("SIGKILL");
    const second = await LiveProcess.start(command, args);
    const { hash: again } = await second.sandbox("GET", "/state-hash");
    await second.end("SIGKILL");
    if (again !== hash) throw new Error(`the state was ${hash}, and is ${again} after the crash`);
    return {
      members: week.members,
      commands,
      journalMb: statSync(journal).size / 1e6,
      freshS: first.startMs / 1000,
      restartS: second.startMs / 1000,
      hash: String(hash).slice(0, 16),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Gives commands evenly over the hours. @returns how many there were */
async function live(server: LiveProcess, { hours, commandsPerHour, members }: Week): Promise<number> {
  const { vpps, sites } = (await server.sandbox("GET", "/credentials")) as unknown as Credentials;
  const headers = await server.signIn(vpps[0].refresh_token);
  const base = `/v1/vpp/${vpps[0].vpp_id}`;
  const random = new RandomStreams(members).stream("commands", "bench");
  let count = 0;
  for (let step = 1; step <= hours * STEPS_PER_HOUR; step++) {
    const nowMs = START_MS + (step * HOUR_MS) / STEPS_PER_HOUR;
    await server.sandbox("POST", "/clock/advance", { to: isoUtc(nowMs) });
    for (const wanted = (step * commandsPerHour) / STEPS_PER_HOUR; count < wanted; count++) {
      const { path, body } = commandOf(random.unit(), random.unit(), nowMs, sites);
      const { status, text } = await server.ask("POST", base + path, body, headers);
      // An instruction may ask for more than there is just now; everything else has to work.
      if (status !== 200 && status !== 400) throw new Error(`${path} answered ${status}: ${text}`);
    }
  }
  return count;
}

interface Credentials {
  readonly vpps: readonly { readonly vpp_id: string; readonly refresh_token: string }[];
  readonly sites: readonly { readonly ems_id: string }[];
}

/** Half of them are schedules of half an hour, the others immediate instructions and weights. */
function commandOf(which: number, amount: number, nowMs: number, sites: Credentials["sites"]) {
  const member_baselines = sites.map(({ ems_id }) => ({ ems_id, baseline_kw: 0 }));
  const delta_kw = Math.round(10 * (2 * amount - 1) * 50 * sites.length) / 10;
  if (which < 0.5) {
    const startMs = nowMs + Math.ceil(48 * which) * 0.5 * HOUR_MS;
    const times = { start_time: isoUtc(startMs), end_time: isoUtc(startMs + 0.5 * HOUR_MS) };
    return { path: "/control/active_power", body: { type: "schedule", delta_kw, ...times, member_baselines } };
  }
  if (which < 0.8) {
    const body = { type: "immediate", delta_kw, duration_minutes: 7, member_baselines };
    return { path: "/control/active_power", body };
  }
  const { ems_id } = sites[Math.floor(amount * sites.length)];
  return { path: `/members/${ems_id}`, body: { allocation_weight: Math.round(1000 * amount) } };
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const commandsPerHour = Number(process.argv[2] ?? 30);
  const hours = Number(process.argv[3] ?? 168);
  for (const members of [6, 100]) console.log(await run({ members, hours, commandsPerHour }));
}
