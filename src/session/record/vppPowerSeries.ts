import { CAUSES, type Cause } from "../../accounting/settlement/causes.ts";
import { settledCopy } from "../../accounting/settlement/settledCopy.ts";
import type { EpochMs } from "../../base/time.ts";
import type { World } from "../../simulation/world.ts";
import type { Vpp } from "../../vpp/vpp.ts";
import { PowerLog } from "./powerLog.ts";
import type { SessionRecord } from "./sessionRecord.ts";

/** Mean power of a VPP's awards over equal steps of time, in kW; NaN where there is no value. */
export interface PowerSeries {
  readonly fromMs: EpochMs;
  readonly stepMs: number;
  /** Signed; after now what is registered. */
  readonly requestedKw: Float64Array;
  /** Signed. */
  readonly deliveredKw: Float64Array;
  /** Requested and not dispatched, at least 0. */
  readonly uncoveredKw: Float64Array;
  /** Shortfall by cause, at least 0. */
  readonly causesKw: ReadonlyMap<Cause, Float64Array>;
}

/**
 * The power of a VPP from the step that contains `fromMs` until `toMs`.
 *
 * @param stepsMax  at least 1; steps are whole multiples of the bins of the record
 */
export function vppPowerSeries(
  world: World,
  record: SessionRecord,
  vpp: Vpp,
  { fromMs, toMs, stepsMax }: { readonly fromMs: EpochMs; readonly toMs: EpochMs; readonly stepsMax: number },
): PowerSeries {
  const { nowMs, spec } = world;
  const { binMs } = record.powerLog;
  const binsPerStep = Math.max(1, Math.ceil((toMs - fromMs) / binMs / stepsMax));
  const stepMs = binsPerStep * binMs;
  const firstMs = spec.startMs + Math.floor((fromMs - spec.startMs) / stepMs) * stepMs;
  const count = Math.max(0, Math.ceil((toMs - firstMs) / stepMs));
  const open = openPieces(world, record, vpp);
  const settled = record.powerLog.read(vpp.index, firstMs, count, binsPerStep, nowMs);
  const unsettled = open.read(vpp.index, firstMs, count, binsPerStep, nowMs);
  const sum = (a: Float64Array, b: Float64Array | undefined): Float64Array =>
    b === undefined ? a : a.map((kw, k) => kw + b[k]);
  const requestedKw = sum(settled.requestedKw, unsettled.requestedKw);
  const deliveredKw = sum(settled.deliveredKw, unsettled.deliveredKw);
  const uncoveredKw = sum(settled.uncoveredKw, unsettled.uncoveredKw);
  const causesKw = new Map<Cause, Float64Array>();
  CAUSES.forEach((cause, c) => {
    const [a, b] = [settled.causesKw.get(c), unsettled.causesKw.get(c)];
    const kw = a === undefined ? b : sum(a, b);
    if (kw !== undefined) causesKw.set(cause, kw);
  });
  for (let k = 0; k < count; k++) {
    const atMs = firstMs + k * stepMs;
    if (atMs < nowMs) continue;
    deliveredKw[k] = uncoveredKw[k] = Number.NaN;
    for (const kw of causesKw.values()) kw[k] = Number.NaN;
    requestedKw[k] = promisedKw(vpp, atMs, atMs + stepMs);
  }
  return { fromMs: firstMs, stepMs, requestedKw, deliveredKw, uncoveredKw, causesKw };
}

/** What has happened since the last settlement of each running award. */
function openPieces({ spec, nowMs, sites }: World, { ledger }: SessionRecord, vpp: Vpp): PowerLog {
  const log = new PowerLog(spec, spec.vpps.length);
  for (const account of ledger.runningAccounts)
    if (account.instruction.vpp === vpp.index) settledCopy(account, nowMs, sites, log);
  return log;
}

/** Mean request of the registered and running awards in a period of the future. */
function promisedKw(vpp: Vpp, fromMs: EpochMs, toMs: EpochMs): number {
  let kw = 0;
  const running = vpp.runningImmediate === null ? [] : [vpp.runningImmediate];
  for (const { startMs, endMs, deltaTenths } of [...vpp.overlapping(fromMs, toMs), ...running]) {
    const partMs = Math.min(toMs, endMs) - Math.max(fromMs, startMs);
    if (partMs > 0) kw += ((deltaTenths / 10) * partMs) / (toMs - fromMs);
  }
  return kw;
}
