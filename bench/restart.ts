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
import { CommandGenerator, fleetYaml, HOUR_MS, START_MS } from "./liveFleet.ts";
import { BUILT_COMMAND, LiveProcess } from "./liveProcess.ts";

export interface RestartRow {
  readonly members: number;
  readonly commands: number;
  readonly journalMb: number;
  /** Seconds until /health answered: with nothing to replay, and after the crash. */
  readonly freshS: number;
  readonly restartS: number;
  /** The same as processor time, of all threads: unlike the clock on the wall it does not depend on who else is there. */
  readonly freshCpuS: number;
  readonly restartCpuS: number;
  /** Of the server's state, before the crash and after it. */
  readonly hash: string;
}

export interface Workload {
  readonly members: number;
  readonly hours: number;
  readonly commandsPerHour: number;
}

const STEPS_PER_HOUR = 6;

export async function run(week: Workload, command: readonly string[] = BUILT_COMMAND): Promise<RestartRow> {
  const folder = mkdtempSync(join(tmpdir(), "vppsim-restart-"));
  try {
    const file = join(folder, "scenario.yaml");
    const journal = join(folder, "journal");
    writeFileSync(
      file,
      fleetYaml({ members: week.members, days: Math.ceil(week.hours / 24) + 1, hasAwards: false, hasOutages: true }),
    );
    const args = [file, "--paused", "--rate-limits", "off", "--journal", journal];
    const first = await LiveProcess.start(command, args);
    const fresh = first.readUsage();
    const commands = await runWorkload(first, week);
    const { hash } = await first.callSandbox("GET", "/state-hash");
    await first.stop("SIGKILL");
    const second = await LiveProcess.start(command, args);
    const restarted = second.readUsage();
    const { hash: again } = await second.callSandbox("GET", "/state-hash");
    await second.stop("SIGKILL");
    if (again !== hash) throw new Error(`the state was ${hash}, and is ${again} after the crash`);
    return {
      members: week.members,
      commands,
      journalMb: statSync(journal).size / 1e6,
      freshS: first.startMs / 1000,
      restartS: second.startMs / 1000,
      freshCpuS: fresh.cpuS,
      restartCpuS: restarted.cpuS,
      hash: String(hash).slice(0, 16),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Gives commands evenly over the hours. @returns how many there were */
async function runWorkload(server: LiveProcess, { hours, commandsPerHour }: Workload): Promise<number> {
  const { vpps, sites } = await server.readCredentials();
  const headers = await server.signIn(vpps[0].refresh_token);
  const base = `/v1/vpp/${vpps[0].vpp_id}`;
  const orders = new CommandGenerator(sites.map(({ ems_id }) => ems_id));
  let count = 0;
  for (let step = 1; step <= hours * STEPS_PER_HOUR; step++) {
    const nowMs = START_MS + (step * HOUR_MS) / STEPS_PER_HOUR;
    await server.callSandbox("POST", "/clock/advance", { to: isoUtc(nowMs) });
    for (const wanted = (step * commandsPerHour) / STEPS_PER_HOUR; count < wanted; count++) {
      const { path, body } = orders.nextCommand(nowMs);
      const { status, text } = await server.request("POST", base + path, body, headers);
      // An instruction may ask for more than there is just now; everything else has to work.
      if (status !== 200 && status !== 400) throw new Error(`${path} answered ${status}: ${text}`);
    }
  }
  return count;
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const commandsPerHour = Number(process.argv[2] ?? 30);
  const hours = Number(process.argv[3] ?? 168);
  for (const members of [6, 100]) console.log(await run({ members, hours, commandsPerHour }));
}
