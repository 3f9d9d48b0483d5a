/**
 * How the time of a command grows with the number of waiting schedules: schedules of two owners, and schedules of their VPP in
 * the same periods, through the endpoints but without HTTP.
 *
 *   npx tsx bench/schedules.ts
 *
 * The hash is that of the world's state after all commands.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { RunHistory } from "../src/accounting/history/runHistory.ts";
import { answerRequest } from "../src/api/endpoints/answerRequest.ts";
import type { ApiName, ApiRequest } from "../src/api/endpoints/route.ts";
import { isoUtc, MS_PER_MINUTE } from "../src/base/time.ts";
import { World } from "../src/engine/simulation/world.ts";
import { loadScenario } from "../src/inputs/scenario/loadScenario.ts";
import { worldDigest } from "../src/live/session/worldDigest.ts";
import { fleetYaml, START_MS } from "./liveFleet.ts";

/** Times in microseconds a command. */
export interface ScheduleCost {
  /** Schedules of the owners, and as many of the VPP. */
  readonly schedules: number;
  readonly ownerUs: number;
  readonly vppUs: number;
  readonly deletionUs: number;
  /** First 16 hex digits of the digest of the state. */
  readonly hash: string;
}

const MEMBERS = 6;
const STEP_MINUTES = 6;
const PATH = "/control/active_power";

/** Every schedule of the VPP overlaps one of an owner and one of the VPP; every third schedule is deleted at the end. */
export function run(schedules: number): ScheduleCost {
  const world = openWorld(Math.ceil((schedules * STEP_MINUTES) / 1440) + 2);
  const { sites, vpps } = world;
  const call = callerOf(world);
  const [{ emsId: first }, { emsId: second }] = sites.map(({ spec }) => spec);
  const { vppId } = vpps[0].spec;
  const memberBaselines = sites.map(({ spec }) => ({ ems_id: spec.emsId, baseline_kw: 0 }));
  const ownerIds: string[] = [];
  const vppIds: string[] = [];
  const ownerUs = usEach(schedules, (k) => {
    const body = { ...scheduleAt(k * STEP_MINUTES, 4), sku: "frr", delta_kw: 20 };
    ownerIds.push(call("site-v2", k % 2 === 0 ? first : second, "POST", body));
  });
  const vppUs = usEach(schedules, (k) => {
    const body = {
      ...scheduleAt(k * STEP_MINUTES + 2, 7),
      sku: "frr",
      delta_kw: -100,
      member_baselines: memberBaselines,
    };
    vppIds.push(call("vpp-v1", vppId, "POST", body));
  });
  const deletionUs = usEach(Math.floor(schedules / 3), (k) => {
    call("site-v2", (3 * k) % 2 === 0 ? first : second, "DELETE", ownerIds[3 * k]);
    call("vpp-v1", vppId, "DELETE", vppIds[3 * k]);
  });
  return { schedules, ownerUs, vppUs, deletionUs, hash: worldDigest(world).slice(0, 16) };
}

function openWorld(days: number): World {
  const folder = mkdtempSync(join(tmpdir(), "vppsim-schedules-"));
  try {
    const file = join(folder, "scenario.yaml");
    writeFileSync(file, fleetYaml({ members: MEMBERS, days, hasAwards: false, hasOutages: false }));
    const { world } = loadScenario(file);
    const opened = new World(world, new RunHistory(world), { hasDispatchPlans: true });
    opened.runThrough(START_MS);
    return opened;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const scheduleAt = (minute: number, minutes: number): object => {
  const startMs = START_MS + (60 + minute) * MS_PER_MINUTE;
  return { type: "schedule", start_time: isoUtc(startMs), end_time: isoUtc(startMs + minutes * MS_PER_MINUTE) };
};

/** @returns sends a body, or deletes a schedule; each gives the id of the schedule */
function callerOf(world: World) {
  return (api: ApiName, id: string, method: "POST" | "DELETE", given: object | string): string => {
    const request: ApiRequest =
      typeof given === "string"
        ? { api, id, method, path: `${PATH}/schedules`, query: { schedule_id: given }, body: undefined }
        : { api, id, method, path: PATH, query: {}, body: given };
    const { status, body } = world.runCommand(() => answerRequest({ world }, request));
    if (status !== 200) throw new Error(`${method} answered ${status}: ${JSON.stringify(body)}`);
    return String((body as { readonly schedule_id?: string }).schedule_id);
  };
}

function usEach(count: number, act: (k: number) => void): number {
  const startedMs = performance.now();
  for (let k = 0; k < count; k++) act(k);
  return (1000 * (performance.now() - startedMs)) / count;
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const counts = process.argv.length > 2 ? process.argv.slice(2).map(Number) : [100, 500, 1_500, 5_000, 20_000];
  console.log("schedules  owner us    VPP us  delete us  hash");
  for (const count of counts) {
    const { ownerUs, vppUs, deletionUs, hash } = run(count);
    const times = [ownerUs, vppUs, deletionUs].map((us) => us.toFixed(0).padStart(9));
    console.log([String(count).padStart(9), ...times, ` ${hash}`].join(" "));
  }
}
