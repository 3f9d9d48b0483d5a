/**
 * How long an honest call of each endpoint of the three APIs, with the heaviest parameters that are allowed, holds the event loop
 * of a live server: below 100 ms on a quiet machine (docs/reliability.md#event-loop).
 *
 *   npx tsx bench/holds.ts [members] [days]
 *
 * The session has half-hour awards, outages and commands. Each call is made once so that compiling does not count, then three
 * times; the row has the longest. The server measures its holds itself and shows them at /metrics. Needs `npm run build`.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { isoUtc } from "../src/base/time.ts";
import { CommandGenerator, fleetYaml, HOUR_MS, START_MS } from "./liveFleet.ts";
import { BUILT_COMMAND, LiveProcess } from "./liveProcess.ts";

export interface HoldRow {
  readonly call: string;
  readonly status: number;
  readonly ms: number;
  readonly kb: number;
  readonly holdMs: number;
}

interface Call {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  readonly headers: Record<string, string>;
}

interface Fleet {
  readonly vpps: readonly { readonly vpp_id: string; readonly refresh_token: string }[];
  readonly sites: readonly { readonly ems_id: string; readonly refresh_token: string }[];
}

const DAY_MS = 24 * HOUR_MS;
/** How often each call is measured. */
const ROUNDS = 3;

export async function run(
  { members, days, commands }: { readonly members: number; readonly days: number; readonly commands: number },
  command = BUILT_COMMAND,
): Promise<HoldRow[]> {
  const folder = mkdtempSync(join(tmpdir(), "vppsim-holds-"));
  const file = join(folder, "scenario.yaml");
  writeFileSync(file, fleetYaml({ members, days: days + 2, hasAwards: true, hasOutages: true }));
  const nowMs = START_MS + days * DAY_MS;
  const flags = ["--paused", "--no-journal", "--rate-limits", "off", "--open-at", isoUtc(nowMs)];
  const server = await LiveProcess.start(command, [file, ...flags]);
  try {
    const fleet = await server.callSandbox<Fleet>("GET", "/credentials");
    await giveCommands(server, fleet, nowMs, commands);
    const rows: HoldRow[] = [];
    for (const call of await callsOf(server, fleet, nowMs)) rows.push(await measure(server, call));
    return rows;
  } finally {
    await server.stop("SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  }
}

async function giveCommands(server: LiveProcess, fleet: Fleet, nowMs: number, count: number): Promise<void> {
  const [{ vpp_id, refresh_token }] = fleet.vpps;
  const headers = await server.signIn(refresh_token);
  const orders = new CommandGenerator(fleet.sites.map(({ ems_id }) => ems_id));
  for (let k = 0; k < count; k++) {
    const { path, body } = orders.nextCommand(nowMs);
    const { status, text } = await server.request("POST", `/v1/vpp/${vpp_id}${path}`, body, headers);
    if (status !== 200 && status !== 400) throw new Error(`${path} answered ${status}: ${text}`);
  }
}

async function measure(server: LiveProcess, { name, method, path, body, headers }: Call): Promise<HoldRow> {
  const row = { call: name, status: 0, ms: 0, kb: 0, holdMs: 0 };
  for (let round = 0; round <= ROUNDS; round++) {
    await longestHoldMs(server);
    const beganMs = performance.now();
    const { status, text } = await server.request(method, path, body, headers);
    const ms = performance.now() - beganMs;
    const holdMs = await longestHoldMs(server);
    if (round === 0) continue;
    row.status = Math.max(row.status, status);
    row.kb = tenths(text.length / 1e3);
    row.ms = Math.max(row.ms, tenths(ms));
    row.holdMs = Math.max(row.holdMs, tenths(holdMs));
  }
  return row;
}

/** Since the last call. The server samples every 10 ms. */
async function longestHoldMs(server: LiveProcess): Promise<number> {
  await setTimeout(30);
  const { text } = await server.request("GET", "/metrics");
  return 1e3 * Number(/^vppsim_event_loop_delay_seconds\{quantile="1"\} (\S+)$/m.exec(text)?.[1]);
}

const tenths = (value: number): number => Math.round(10 * value) / 10;

/** A call of each endpoint; of some several. */
async function callsOf(server: LiveProcess, { vpps, sites }: Fleet, nowMs: number): Promise<Call[]> {
  const vpp = { prefix: `/v1/vpp/${vpps[0].vpp_id}`, headers: await server.signIn(vpps[0].refresh_token) };
  const siteHeaders = await server.signIn(sites[0].refresh_token);
  const v2 = { prefix: `/v2/ems/${sites[0].ems_id}`, headers: siteHeaders };
  const v1 = { prefix: `/v1/ems/${sites[0].ems_id}`, headers: siteHeaders };
  const startMs = nowMs - 30 * DAY_MS;
  const month = { start_time: isoUtc(startMs), end_time: isoUtc(startMs + 31 * DAY_MS) };
  const week = { start_time: isoUtc(Math.max(START_MS, nowMs - 7 * DAY_MS)), end_time: isoUtc(nowMs) };
  const ten = sites.slice(0, 10).map(({ ems_id }) => ems_id);
  const baselines = sites.map(({ ems_id }) => ({ ems_id, baseline_kw: 0 }));
  const of = (
    { prefix, headers }: { readonly prefix: string; readonly headers: Record<string, string> },
    method: string,
    path: string,
    body?: unknown,
  ): Call => ({ name: `${method} ${prefix.slice(0, 7)}${path}`, method, path: prefix + path, body, headers });
  const named = (name: string, call: Call): Call => ({ ...call, name: `${call.name} (${name})` });
  const schedule = { type: "schedule", delta_kw: -100, member_baselines: baselines };
  const times = { start_time: isoUtc(nowMs + DAY_MS), end_time: isoUtc(nowMs + DAY_MS + HOUR_MS / 2) };
  const slots = Array.from({ length: 48 }, (_, k) => ({
    start_time: isoUtc(nowMs + k * (HOUR_MS / 2)),
    end_time: isoUtc(nowMs + (k + 1) * (HOUR_MS / 2)),
    baseline_kw: 0,
  }));
  /** As many records as a read of one site may have. */
  const seconds = { start_time: isoUtc(nowMs - 30_000_000), end_time: isoUtc(nowMs), interval_seconds: 1 };
  return [
    of(vpp, "GET", "/members"),
    of(vpp, "GET", "/status"),
    of(vpp, "GET", "/status/details"),
    of(vpp, "GET", "/control/active_power/schedules"),
    named("a week of hours, all", of(vpp, "POST", "/measurements/active_power", { ...week, interval_seconds: 3600 })),
    named(
      "a week of minutes, ten members",
      of(vpp, "POST", "/measurements/active_power", {
        ...week,
        interval_seconds: 60,
        ems_ids: ten,
        include_components: true,
      }),
    ),
    named("a month", of(vpp, "POST", "/measurements/energy", month)),
    named(
      "half hours, ten members",
      of(vpp, "POST", "/measurements/energy", {
        ...month,
        interval_seconds: 1800,
        ems_ids: ten,
        include_components: true,
      }),
    ),
    named(
      "days, all members",
      of(vpp, "POST", "/measurements/energy", { ...week, interval_seconds: 86_400, include_components: true }),
    ),
    named("half hours, all members", of(vpp, "POST", "/measurements/energy", { ...week, interval_seconds: 1800 })),
    named(
      "immediate",
      of(vpp, "POST", "/control/active_power", { ...schedule, type: "immediate", duration_minutes: 5 }),
    ),
    named("schedule", of(vpp, "POST", "/control/active_power", { ...schedule, ...times })),
    of(vpp, "POST", `/members/${sites[1].ems_id}`, { allocation_weight: 50 }),
    of(v2, "GET", "/status"),
    of(v2, "GET", "/status/details"),
    of(v2, "GET", "/specifications"),
    of(v2, "GET", "/control/active_power/schedules"),
    of(v2, "GET", "/serviceplan"),
    of(v2, "GET", "/baseline"),
    named("seconds", of(v2, "POST", "/measurements/active_power", seconds)),
    named("half hours", of(v2, "POST", "/measurements/energy", { ...month, interval_seconds: 1800 })),
    named(
      "immediate",
      of(v2, "POST", "/control/active_power", { type: "immediate", delta_kw: -10, duration_minutes: 5 }),
    ),
    of(v2, "POST", "/baseline", { baselines: slots }),
    of(v1, "GET", "/status"),
    of(v1, "GET", "/specifications"),
    of(v1, "GET", "/control/schedules"),
    of(v1, "GET", "/fcr/config"),
    of(v1, "GET", "/serviceplan"),
    named("seconds", of(v1, "POST", "/report/power", seconds)),
    of(v1, "POST", "/report/energy", month),
  ];
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [members = 100, days = 7] = process.argv.slice(2).map(Number);
  console.table(await run({ members, days, commands: 1_000 }));
}
