/**
 * What a session holds and writes over a simulated month: memory week by week with telemetry readers and keyed commands, the
 * journal, and the export at the end.
 *
 *   npx tsx bench/month.ts [commands an hour] [readers] [days]
 *
 * Needs `npm run build`, and Linux for the memory.
 */
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { isoUtc } from "../src/base/time.ts";
import { CommandGenerator, fleetYaml, HOUR_MS, START_MS } from "./liveFleet.ts";
import { BUILT_COMMAND, LiveProcess } from "./liveProcess.ts";

export interface MonthOptions {
  readonly members: number;
  readonly commandsPerHour: number;
  readonly readers: number;
  readonly days: number;
}

export interface MonthRow extends MonthOptions {
  readonly commands: number;
  /** Resident memory of the server in MB: at the start, then at the end of each week. */
  readonly residentMb: readonly number[];
  readonly journalMb: number;
  readonly exportMb: number;
  readonly exportS: number;
  /** Telemetry messages received by all readers, and how many of them were of a gap. */
  readonly messages: number;
  readonly gaps: number;
}

const DAY_MS = 24 * HOUR_MS;

export async function run(options: MonthOptions, command: readonly string[] = BUILT_COMMAND): Promise<MonthRow> {
  const { members, commandsPerHour, readers, days } = options;
  const folder = mkdtempSync(join(tmpdir(), "vppsim-month-"));
  try {
    const [file, journal] = [join(folder, "scenario.yaml"), join(folder, "journal")];
    writeFileSync(file, fleetYaml({ members, days: days + 1, hasAwards: true, hasOutages: true }));
    const server = await LiveProcess.start(command, [file, "--paused", "--rate-limits", "on", "--journal", journal]);
    const { vpps, sites } = await server.readCredentials();
    const headers = await server.signIn(vpps[0].refresh_token);
    const orders = new CommandGenerator(sites.map(({ ems_id }) => ems_id));
    const base = `/v1/vpp/${vpps[0].vpp_id}`;
    const counts = await Promise.all(
      Array.from({ length: readers }, () => server.countTelemetry(vpps[0].vpp_id, headers)),
    );
    const residentMb = [server.readUsage().residentMb];
    let commands = 0;
    for (let hour = 1; hour <= 24 * days; hour++) {
      const nowMs = START_MS + hour * HOUR_MS;
      await server.callSandbox("POST", "/clock/advance", { to: isoUtc(nowMs) });
      for (let k = 0; k < commandsPerHour; k++) {
        const { path, body } = orders.nextCommand(nowMs);
        const key = { "idempotency-key": `month-${commands++}` };
        const { status, text } = await server.request("POST", base + path, body, { ...headers, ...key });
        if (status !== 200 && status !== 400) throw new Error(`${path} answered ${status}: ${text}`);
      }
      if ((nowMs - START_MS) % (7 * DAY_MS) === 0) residentMb.push(server.readUsage().residentMb);
    }
    const beganMs = performance.now();
    const { text } = await server.request("POST", "/sandbox/export", {});
    const exportS = (performance.now() - beganMs) / 1_000;
    const { messages, gaps } = sumOf(counts);
    await server.stop("SIGTERM");
    const journalMb = statSync(journal).size / 1e6;
    return { ...options, commands, residentMb, journalMb, exportMb: text.length / 1e6, exportS, messages, gaps };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const sumOf = (counts: readonly { readonly messages: number; readonly gaps: number }[]) => ({
  messages: counts.reduce((sum, { messages }) => sum + messages, 0),
  gaps: counts.reduce((sum, { gaps }) => sum + gaps, 0),
});

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [commandsPerHour, readers, days] = [process.argv[2] ?? 20, process.argv[3] ?? 3, process.argv[4] ?? 28].map(
    Number,
  );
  for (const members of [6, 100]) console.log(await run({ members, commandsPerHour, readers, days }));
}
