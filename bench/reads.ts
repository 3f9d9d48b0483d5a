/**
 * How fast the reads of the APIs are, without HTTP, and what the history of a run weighs.
 *
 *   npx tsx --expose-gc bench/reads.ts [days]
 *
 * The fleet has 100 members and half-hour awards; the hash is that of each answer's body.
 */
import { createHash } from "node:crypto";
import { pathToFileURL } from "node:url";
import { RunHistory } from "../src/accounting/history/runHistory.ts";
import { answerRequest } from "../src/api/endpoints/answerRequest.ts";
import type { ApiRequest } from "../src/api/endpoints/route.ts";
import { isoUtc, MS_PER_DAY } from "../src/base/time.ts";
import { ObserverList } from "../src/engine/simulation/observerList.ts";
import { World } from "../src/engine/simulation/world.ts";
import type { WorldSpec } from "../src/engine/simulation/worldSpec.ts";
import { fleetSubset, generateFleet } from "./scaling.ts";

interface ApiHost {
  readonly world: World;
  readonly history: RunHistory;
}

export interface ReadCost {
  readonly endpoint: string;
  /** Answers a second of a status; ms of a history. */
  readonly result: number;
  readonly characters: number;
  /** First 16 hex digits of the SHA-256 of the body. */
  readonly hash: string;
}

/** @param forMs  duration of the reads of each status */
export function run(days: number, members: readonly number[], forMs: number): ReadCost[] {
  const fleet = generateFleet(days);
  return members.flatMap((count) => {
    const host = hostOf(fleetSubset(fleet, days, count));
    return [
      ...["/status", "/status/details"].map((path) => statusCost(host, path, forMs)),
      ...historyCosts(host, Math.min(days, 31)),
    ];
  });
}

function hostOf(spec: WorldSpec): ApiHost {
  const history = new RunHistory(spec);
  const world = new World(spec, history);
  world.runThrough(spec.endMs);
  return { world, history };
}

const requestOf = ({ world }: ApiHost, method: "GET" | "POST", path: string, body?: unknown): ApiRequest => ({
  api: "vpp-v1",
  id: world.spec.vpps[0].vppId,
  method,
  path,
  query: {},
  body,
});

function statusCost(host: ApiHost, path: string, forMs: number): ReadCost {
  const request = requestOf(host, "GET", path);
  let count = 0;
  let body: unknown;
  const startedMs = performance.now();
  while (performance.now() - startedMs < forMs) {
    for (let k = 0; k < 100; k++) body = answerRequest(host, request).body;
    count += 100;
  }
  const figure = (1000 * count) / (performance.now() - startedMs);
  const what = `GET ${path} of ${host.world.vpps[0].members.length} members, answers a second`;
  return { endpoint: what, result: figure, ...textCost([JSON.stringify(body)]) };
}

function historyCosts(host: ApiHost, days: number): ReadCost[] {
  const { sites, nowMs } = host.world;
  const ten = sites.slice(0, 10).map(({ spec }) => spec.emsId);
  const period = { start_time: isoUtc(nowMs - days * MS_PER_DAY), end_time: isoUtc(nowMs) };
  return [
    historyCost(host, "/measurements/active_power", { ...period, interval_seconds: 60, ems_ids: ten }),
    historyCost(host, "/measurements/energy", { ...period, interval_seconds: 1800, ems_ids: ten }),
    historyCost(host, "/measurements/energy", period),
  ];
}

function historyCost(host: ApiHost, path: string, body: object): ReadCost {
  let figure = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 3; round++) {
    const startedMs = performance.now();
    const { stream, status } = answerRequest(host, requestOf(host, "POST", path, body));
    if (stream === undefined) throw new Error(`POST ${path} was answered ${status}`);
    let bytes = 0;
    // As a server sends it: each piece becomes bytes and is let go.
    for (const piece of stream) bytes += Buffer.from(piece).length;
    if (bytes > 0) figure = Math.min(figure, performance.now() - startedMs);
  }
  const { stream = [] } = answerRequest(host, requestOf(host, "POST", path, body));
  const count = `${Object.keys(body).includes("ems_ids") ? 10 : "all"} members`;
  return { endpoint: `POST ${path} of ${count}, ms`, result: figure, ...textCost(stream) };
}

function textCost(pieces: Iterable<string>): { readonly characters: number; readonly hash: string } {
  const digest = createHash("sha256");
  let characters = 0;
  for (const piece of pieces) {
    digest.update(piece);
    characters += piece.length;
  }
  return { characters, hash: digest.digest("hex").slice(0, 16) };
}

/** MB that the history of a run of the fleet holds, the world itself apart; needs --expose-gc. */
export function historyMb(days: number): number {
  const spec = generateFleet(days);
  const [bare, kept] = [new ObserverList(), new RunHistory(spec)].map((observer) => {
    const before = usedBytes();
    const world = new World(spec, observer);
    world.runThrough(spec.endMs);
    const mb = (usedBytes() - before) / 1e6;
    return { mb, world };
  });
  return kept.world.nowMs === bare.world.nowMs ? kept.mb - bare.mb : Number.NaN;
}

function usedBytes(): number {
  globalThis.gc?.();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const days = Number(process.argv[2] ?? 31);
  for (const { endpoint: what, result: figure, characters, hash } of run(days, [6, 100], 1000))
    console.log(`${what.padEnd(62)} ${figure.toFixed(0).padStart(8)} ${String(characters).padStart(10)} ${hash}`);
  console.log(`history of ${days} days of 100 members: ${historyMb(days).toFixed(1)} MB`);
}
