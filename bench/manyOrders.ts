/**
 * How times grow with the number of orders of one site and its VPP, through the endpoints but without HTTP: reads of the lists of
 * schedules, telemetry of a VPP and of a site, deletions of what has ended, immediate instructions that overlap, and
 * overlapping schedules of the scenario.
 *
 *   npx tsx bench/manyOrders.ts [orders …]
 */
import { EventEmitter } from "node:events";
import { PassThrough } from "node:stream";
import { pathToFileURL } from "node:url";
import type { WebSocket } from "ws";
import { RunHistory } from "../src/accounting/history/runHistory.ts";
import { isoUtc, MS_PER_DAY, MS_PER_MINUTE } from "../src/base/time.ts";
import { answerRequest } from "../src/endpoints/answerRequest.ts";
import type { ApiName, Method } from "../src/endpoints/route.ts";
import { wireTime } from "../src/endpoints/shared/wireTime.ts";
import { LoopTurns } from "../src/http/loopTurns.ts";
import { ReaderRegistry } from "../src/http/telemetry/readerRegistry.ts";
import { TelemetryBudget } from "../src/http/telemetry/telemetryBudget.ts";
import { TelemetryHub } from "../src/http/telemetry/telemetryHub.ts";
import { TelemetryReader } from "../src/http/telemetry/telemetryReader.ts";
import { readScenario } from "../src/scenario/loadScenario.ts";
import { memoryFiles } from "../src/scenario/parse/scenarioFiles.ts";
import type { ClockRecord } from "../src/session/clockRecord.ts";
import { composeObservers } from "../src/simulation/composeObservers.ts";
import { World } from "../src/simulation/world.ts";
import { fleetYaml, START_MS } from "./liveFleet.ts";

/** Times in microseconds a call. */
export interface OrderCost {
  readonly orders: number;
  /** Registration of a schedule of a VPP, without and with readers of the VPP and of a site. */
  readonly registeredUs: number;
  readonly publishedUs: number;
  /** A list of the schedules of an hour, of a VPP and of a site. */
  readonly vppListUs: number;
  readonly siteListUs: number;
  /** Refusal to delete a schedule that has ended, of a VPP and of an owner, and one that never was. */
  readonly endedUs: number;
  /** An immediate instruction of an owner while the earlier ones are in force. */
  readonly immediateUs: number;
  /** An event `direct_schedule` of a scenario in which all of them overlap. */
  readonly eventUs: number;
}

const MEMBERS = 6;
const STEP_MINUTES = 6;
const PATH = "/control/active_power";
/** Calls that a time is the mean of. */
const CALLS = 50;

export function run(orders: number): OrderCost {
  return { orders, ...scheduleTimes(orders), immediateUs: immediateUs(orders), eventUs: eventUs(orders) };
}

function scheduleTimes(orders: number): Omit<OrderCost, "orders" | "immediateUs" | "eventUs"> {
  const live = new LiveWorld(Math.ceil(((orders + 3 * CALLS) * STEP_MINUTES) / 1440) + 2, "");
  const { site, vpp } = live;
  const vppIds: string[] = [];
  const ownerIds: string[] = [];
  const register = (k: number) => {
    const member_baselines = live.world.sites.map(({ spec }) => ({ ems_id: spec.emsId, baseline_kw: 0 }));
    const body = { ...scheduleAt(k * STEP_MINUTES + 2), sku: "frr", delta_kw: -100, member_baselines };
    vppIds.push(String(live.send("vpp-v1", vpp, "POST", PATH, body).schedule_id));
  };
  for (let k = 0; k < orders; k++) {
    register(k);
    const body = { ...scheduleAt(k * STEP_MINUTES), sku: "rr", delta_kw: 20 };
    ownerIds.push(String(live.send("site-v2", site, "POST", PATH, body).schedule_id));
  }
  const registeredUs = usEach(CALLS, (k) => register(orders + k));
  live.addReader("vpp-v1", vpp);
  live.addReader("site-v2", site);
  const publishedUs = usEach(CALLS, (k) => {
    register(orders + CALLS + k);
    live.hub.onSettled(live.world.nowMs);
  });
  const list = { start_time_from: isoUtc(START_MS), start_time_to: isoUtc(START_MS + 90 * MS_PER_MINUTE) };
  const vppListUs = usEach(CALLS, () => live.send("vpp-v1", vpp, "GET", `${PATH}/schedules`, list));
  const window = { start_time: list.start_time_from, end_time: list.start_time_to };
  const siteListUs = usEach(CALLS, () => live.send("site-v2", site, "GET", `${PATH}/schedules`, window));
  live.world.runThrough(START_MS + (120 + (orders + 2 * CALLS) * STEP_MINUTES) * MS_PER_MINUTE);
  const refuse = (api: ApiName, id: string, schedule_id: string | undefined) =>
    live.send(api, id, "DELETE", `${PATH}/schedules`, { schedule_id: String(schedule_id) });
  const endedUs = usEach(CALLS, (k) => {
    refuse("vpp-v1", vpp, vppIds.at(-1 - k));
    refuse("site-v2", site, ownerIds.at(-1 - k));
    refuse("site-v2", site, "0".repeat(32));
  });
  return { registeredUs, publishedUs, vppListUs, siteListUs, endedUs };
}

function immediateUs(orders: number): number {
  const live = new LiveWorld(2, "");
  const body = { type: "immediate", sku: "frr", delta_kw: -10, duration_minutes: 1440 };
  return usEach(orders, (k) => live.send("site-v2", live.site, "POST", PATH, { ...body, delta_kw: -1 - (k % 100) }));
}

function eventUs(orders: number): number {
  const end = isoUtc(START_MS + MS_PER_DAY);
  const events = Array.from({ length: orders }, (_, k) => {
    const start = isoUtc(START_MS + (k + 60) * 1_000);
    return `  - {at: ${isoUtc(START_MS)}, kind: direct_schedule, site: battery-1, start: ${start}, end: ${end}, delta_kw: ${-1 - (k % 100)}}\n`;
  });
  const { world } = new LiveWorld(2, `events:\n${events.join("")}`);
  return usEach(1, () => world.runThrough(START_MS + 2 * MS_PER_DAY)) / orders;
}

/** A world with its history and telemetry, at the start. */
class LiveWorld {
  readonly history: RunHistory;
  readonly world: World;
  readonly hub: TelemetryHub;
  readonly site: string;
  readonly vpp: string;
  readonly #readers = new ReaderRegistry(new TelemetryBudget(), new LoopTurns());

  constructor(days: number, more: string) {
    const yaml = fleetYaml({ members: MEMBERS, days, hasAwards: false, hasOutages: false }) + more;
    const { world: spec } = readScenario("/bench.yaml", {}, memoryFiles(new Map([["/bench.yaml", yaml]])));
    this.history = new RunHistory(spec);
    this.hub = new TelemetryHub(this, this.#readers);
    const observer = composeObservers([this.history, this.hub.observer]);
    this.world = new World(spec, observer, { hasDispatchPlans: true });
    this.world.runThrough(START_MS);
    this.site = this.world.sites[0].spec.emsId;
    this.vpp = this.world.vpps[0].spec.vppId;
  }

  get context() {
    return { world: this.world, history: this.history };
  }

  clock(): ClockRecord {
    return {
      now: wireTime(this.world.nowMs),
      mode: "paused",
      speed: 1,
      achieved_speed: 0,
      lag_seconds: 0,
      scenario_end: wireTime(this.world.spec.endMs),
    };
  }

  /** Refused deletions are answers too. */
  send(api: ApiName, id: string, method: Method, path: string, given: object): Readonly<Record<string, unknown>> {
    const isPost = method === "POST";
    const query = isPost ? {} : (given as Record<string, string>);
    const request = { api, id, method, path, query, body: isPost ? given : undefined };
    const answer = () => answerRequest(this.context, request);
    const { status, body } = method === "GET" ? answer() : this.world.runCommand(answer);
    if (status !== 200 && method !== "DELETE") throw new Error(`${status}: ${JSON.stringify(body)}`);
    return body as Readonly<Record<string, unknown>>;
  }

  /** A reader that takes everything at once. */
  addReader(api: ApiName, id: string): void {
    const sendQueue = { add: (reader: TelemetryReader) => reader.flush() };
    const limits = { budget: this.#readers.budget, sendQueue, queueBytesMax: Number.POSITIVE_INFINITY };
    const socket = Object.assign(new EventEmitter(), { bufferedAmount: 0, send() {}, close() {} });
    const connection = {
      socket: socket as unknown as WebSocket,
      stream: new PassThrough(),
      expiresMs: Number.POSITIVE_INFINITY,
    };
    this.hub.addReader(new TelemetryReader({ api, id }, limits), connection);
  }
}

const scheduleAt = (minute: number): object => {
  const startMs = START_MS + (60 + minute) * MS_PER_MINUTE;
  return { type: "schedule", start_time: isoUtc(startMs), end_time: isoUtc(startMs + 4 * MS_PER_MINUTE) };
};

function usEach(count: number, act: (k: number) => void): number {
  const startedMs = performance.now();
  for (let k = 0; k < count; k++) act(k);
  return (1000 * (performance.now() - startedMs)) / count;
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const counts = process.argv.length > 2 ? process.argv.slice(2).map(Number) : [100, 1_000, 5_000];
  console.log("  orders  register   publish  vpp list site list     ended immediate     event (us)");
  for (const count of counts) {
    const { orders, ...times } = run(count);
    const { registeredUs, publishedUs, vppListUs, siteListUs, endedUs, immediateUs: now, eventUs: event } = times;
    const columns = [registeredUs, publishedUs, vppListUs, siteListUs, endedUs, now, event];
    console.log([String(orders).padStart(8), ...columns.map((us) => us.toFixed(0).padStart(9))].join(" "));
  }
}
