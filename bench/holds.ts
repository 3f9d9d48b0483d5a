/**
 * How long each call holds the event loop of a live server, and what /health takes meanwhile: all calls of the three APIs and of
 * the sandbox with the heaviest parameters that are allowed, what one client may send at once (floods.ts), and the reads of a drill.
 *
 *   npx tsx bench/holds.ts [members] [days] [calls|drill|floods] [text]
 *
 * With a part only its rows, with a text only those whose names have it: a whole run takes some minutes.
 *
 * The session has half-hour awards, outages and commands. Each call is made once so that compiling does not count, then measured
 * three times, each time with its own /health; the row has the longest. The server measures its holds itself; the first lines
 * give the load of the machine.
 */
import { availableParallelism, constants, loadavg, setPriority } from "node:os";
import { pathToFileURL } from "node:url";
import { isoUtc } from "../src/base/time.ts";
import { floodsOf } from "./floods.ts";
import { HoldProcess, type TimedReply } from "./holdProcess.ts";
import { CommandGenerator, HOUR_MS, START_MS } from "./liveFleet.ts";

export interface HoldRow {
  readonly call: string;
  readonly status: number;
  readonly ms: number;
  readonly kb: number;
  readonly holdMs: number;
  readonly ownMs: number;
  readonly cpuMs: number;
  readonly gcMs: number;
  readonly healthMs: number;
}

interface Call {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

const DAY_MS = 24 * HOUR_MS;
/** Commands that the journal, the export and the report of the session hold. */
const COMMANDS = 1_000;
const DRILL = { name: "storm", lasts: "PT100M" };
/** Commands of its trainee, each of which its grade has a run without. */
const DRILL_COMMANDS = 5;
/** What a person reads who leads a drill, or sits it. */
const DRILL_PATHS = [
  "/sandbox/grade",
  "/sandbox/debriefing?lang=ja",
  "/sandbox/injects",
  "/sandbox/faults",
  "/sandbox/actions",
  "/sandbox/events",
  "/",
  "/instructor",
  "/dashboard/config.json",
];
/** How often each call is made and measured; the rows give the longest. */
const ROUNDS = 3;

/** How much is done before and while the calls are measured. */
interface HoldOptions {
  readonly commands?: number;
  readonly rounds?: number;
  /** Only rows whose name has it. */
  readonly text?: string;
}

export const run = (
  members: number,
  days: number,
  { commands = COMMANDS, rounds = ROUNDS, text = "" }: HoldOptions = {},
): Promise<HoldRow[]> =>
  withServer(HoldProcess.start(members, days), async (server) => {
    const nowMs = START_MS + days * DAY_MS;
    await giveCommands(server, nowMs, commands);
    const rows: HoldRow[] = [];
    for (const call of await callsOf(server, nowMs)) {
      if (!call.name.includes(text)) continue;
      const make = () => server.request(call.method, call.path, call);
      await make();
      rows.push(await measure(server, call.name, make, rounds));
    }
    return rows;
  });

/** Rows of a drill at its end: what its instructor reads, the grade and the debriefing, and the page. */
export const runDrill = ({
  commands = DRILL_COMMANDS,
  rounds = ROUNDS,
  text = "",
}: HoldOptions = {}): Promise<HoldRow[]> =>
  withServer(HoldProcess.startDrill(DRILL.name), async (server) => {
    await giveCommands(server, await simulatedNow(server), commands);
    const advanced = await server.request("POST", "/sandbox/clock/advance", { body: { by: DRILL.lasts } });
    if (advanced.status !== 200) throw new Error(`the clock answered ${advanced.text}`);
    const page = await server.request("GET", "/");
    const built = Array.from(page.text.matchAll(/"(\/dashboard\/[^"]+)"/g), ([, path]) => path);
    const rows: HoldRow[] = [];
    for (const path of [...DRILL_PATHS, ...built].filter((name) => `GET ${name}`.includes(text)))
      rows.push(await measure(server, `GET ${path}`, () => server.request("GET", path), rounds));
    return rows;
  });

/**
 * Rows of what one client may send at once. The client has the lowest priority from then on: like one on another machine, it
 * takes no processor that the server or the reader of /health needs.
 */
export const runFloods = (members: number, days: number, { text = "" }: HoldOptions = {}): Promise<HoldRow[]> =>
  withServer(HoldProcess.start(members, days), async (server) => {
    setPriority(constants.priority.PRIORITY_LOW);
    const rows: HoldRow[] = [];
    const floods = (await floodsOf(server)).filter(({ name }) => name.includes(text));
    for (const { name, send } of floods) rows.push(await measure(server, name, send, ROUNDS));
    return rows;
  });

async function withServer<Found>(
  started: Promise<HoldProcess>,
  use: (server: HoldProcess) => Promise<Found>,
): Promise<Found> {
  const server = await started;
  try {
    return await use(server);
  } finally {
    server.stop();
  }
}

async function measure(
  server: HoldProcess,
  name: string,
  make: () => Promise<Partial<TimedReply>>,
  rounds: number,
): Promise<HoldRow> {
  const row = { call: name, status: 0, ms: 0, kb: 0, holdMs: 0, ownMs: 0, cpuMs: 0, gcMs: 0, healthMs: 0 };
  for (let round = 0; round < rounds; round++) {
    await Promise.all([server.usage(), server.slowestHealthMs()]);
    const beganMs = performance.now();
    const { status = 0, ms = performance.now() - beganMs, bytes = 0 } = await make();
    const [{ holdMs, ownMs, cpuMs, gcMs }, healthMs] = await Promise.all([server.usage(), server.slowestHealthMs()]);
    row.status = Math.max(row.status, status);
    row.kb = tenths(bytes / 1e3);
    const longest = { ms, holdMs, ownMs, cpuMs, gcMs, healthMs };
    for (const key of ["ms", "holdMs", "ownMs", "cpuMs", "gcMs", "healthMs"] as const)
      row[key] = Math.max(row[key], tenths(longest[key]));
  }
  return row;
}

async function simulatedNow(server: HoldProcess): Promise<number> {
  const { now } = JSON.parse((await server.request("GET", "/health")).text) as { readonly now: string };
  return Date.parse(now);
}

const tenths = (value: number): number => Math.round(10 * value) / 10;

const loadText = (): string => `${loadavg()[0].toFixed(1)} on ${availableParallelism()} processors`;

async function giveCommands(server: HoldProcess, nowMs: number, count: number): Promise<void> {
  const { vppId, vppToken, sites } = server.host;
  const headers = await server.signIn(vppToken);
  const orders = new CommandGenerator(sites.map(({ id }) => id));
  for (let k = 0; k < count; k++) {
    const { path, body } = orders.nextCommand(nowMs);
    const { status, text } = await server.request("POST", `/v1/vpp/${vppId}${path}`, { body, headers });
    if (status !== 200 && status !== 400) throw new Error(`${path} answered ${status}: ${text}`);
  }
}

/** A call of each endpoint; of some several. */
async function callsOf(server: HoldProcess, nowMs: number): Promise<Call[]> {
  const { vppId, vppToken, sites } = server.host;
  const vpp = { prefix: `/v1/vpp/${vppId}`, headers: await server.signIn(vppToken) };
  const siteHeaders = await server.signIn(sites[0].token);
  const v2 = { prefix: `/v2/ems/${sites[0].id}`, headers: siteHeaders };
  const v1 = { prefix: `/v1/ems/${sites[0].id}`, headers: siteHeaders };
  const startMs = nowMs - 30 * DAY_MS;
  const month = { start_time: isoUtc(startMs), end_time: isoUtc(startMs + 31 * DAY_MS) };
  const week = { start_time: isoUtc(Math.max(START_MS, nowMs - 7 * DAY_MS)), end_time: isoUtc(nowMs) };
  const ten = sites.slice(0, 10).map(({ id }) => id);
  const baselines = sites.map(({ id }) => ({ ems_id: id, baseline_kw: 0 }));
  const of = (
    { prefix, headers }: { readonly prefix: string; readonly headers: Record<string, string> },
    method: string,
    path: string,
    body?: unknown,
  ): Call => ({ name: `${method} ${prefix.slice(0, 7)}${path}`, method, path: prefix + path, body, headers });
  const sandbox = (method: string, path: string, body?: unknown): Call => {
    const full = `/sandbox${path}`;
    return { name: `${method} ${full}`, method, path: full, body };
  };
  const named = (name: string, call: Call): Call => ({ ...call, name: `${call.name} (${name})` });
  const { checkpoint_id } = JSON.parse(
    (await server.request("POST", "/sandbox/checkpoints", { body: { label: "bench" } })).text,
  ) as { readonly checkpoint_id: string };
  const schedule = { type: "schedule", delta_kw: -100, member_baselines: baselines };
  const times = { start_time: isoUtc(nowMs + DAY_MS), end_time: isoUtc(nowMs + DAY_MS + HOUR_MS / 2) };
  const keys = Object.fromEntries(Array.from({ length: 50_000 }, (_, k) => [`key${k}`, k]));
  const slots = Array.from({ length: 48 }, (_, k) => ({
    start_time: isoUtc(nowMs + k * (HOUR_MS / 2)),
    end_time: isoUtc(nowMs + (k + 1) * (HOUR_MS / 2)),
    baseline_kw: 0,
  }));
  /** As many records as a read of one site may have. */
  const seconds = { start_time: isoUtc(nowMs - 30_000_000), end_time: isoUtc(nowMs), interval_seconds: 1 };
  return [
    { name: "GET /health", method: "GET", path: "/health" },
    { name: "GET /metrics", method: "GET", path: "/metrics" },
    { name: "GET /docs", method: "GET", path: "/docs" },
    ...["vpp-v1", "site-v2", "site-v1", "sandbox"].map((api) => ({
      name: `GET /openapi/${api}.json`,
      method: "GET",
      path: `/openapi/${api}.json`,
    })),
    { name: "GET /asyncapi.json", method: "GET", path: "/asyncapi.json" },
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
    of(vpp, "POST", `/members/${sites[1].id}`, { allocation_weight: 50 }),
    named("50,000 keys", of(vpp, "POST", "/control/active_power", keys)),
    named(
      "1 MB of digits in texts",
      of(vpp, "POST", "/control/active_power", { type: Array(3_200).fill("1".repeat(308)) }),
    ),
    named("1 MB of text", of(vpp, "POST", "/control/active_power", { type: "x".repeat(1_000_000) })),
    named("300,000 zeros", of(vpp, "POST", "/control/active_power", { member_baselines: Array(300_000).fill(0) })),
    named(
      "100,000 empty objects",
      of(vpp, "POST", "/control/active_power", { ...schedule, ...times, member_baselines: Array(100_000).fill({}) }),
    ),
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
    sandbox("GET", "/session"),
    sandbox("GET", "/vpps/east/balance"),
    sandbox("GET", "/vpps/east/members"),
    sandbox("GET", "/vpps/east/power"),
    sandbox("GET", "/events"),
    sandbox("GET", "/actions"),
    sandbox("GET", "/clock"),
    sandbox("GET", "/credentials"),
    sandbox("GET", "/faults"),
    sandbox("GET", "/checkpoints"),
    sandbox("GET", "/state-hash"),
    sandbox("POST", "/faults", { kind: "outage", site: "battery-1", duration: "PT1H" }),
    sandbox("POST", "/checkpoints", {}),
    sandbox("POST", "/export", {}),
    sandbox("POST", "/report", {}),
    sandbox("POST", "/clock/advance", { by: "PT12H" }),
    sandbox("POST", `/checkpoints/${checkpoint_id}/restore`, {}),
    sandbox("POST", "/reset", {}),
  ];
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [, , members = "100", days = "7", part = "all", text = ""] = process.argv;
  const show = async (name: string, measureRows: () => Promise<HoldRow[]>): Promise<void> => {
    if (part !== "all" && part !== name) return;
    console.log(`load of the machine before the ${name}: ${loadText()}`);
    console.table(await measureRows());
  };
  await show("calls", () => run(Number(members), Number(days), { text }));
  await show("drill", () => runDrill({ text }));
  // Last, because a process cannot raise its own priority again.
  await show("floods", () => runFloods(20, 1, { text }));
  console.log(`and after: ${loadText()}`);
}
