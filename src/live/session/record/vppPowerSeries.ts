import { CAUSES } from "../../../accounting/settlement/causes.ts";
import { settledCopy } from "../../../accounting/settlement/settledCopy.ts";
import type { EpochMs } from "../../../base/time.ts";
import type { World } from "../../../engine/simulation/world.ts";
import type { Vpp } from "../../../engine/vpp/vpp.ts";
import type { Cause } from "../sandboxReads.ts";
import type { ReaderView } from "./hiddenShortfall.ts";
import { PowerLog, type PowerSteps } from "./powerLog.ts";
import type { SessionRecord } from "./sessionRecord.ts";

/** Mean power of a VPP's awards over equal steps of time, in kW; NaN where there is no value. */
interface PowerSeries {
  readonly fromMs: EpochMs;
  readonly stepMs: number;
  /** Signed; after the present instant, of the registered awards. */
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
 * @param view  `noticed`: what an operator cannot know yet is a cause of its own
 * @param stepsMax  at least 1; steps are whole multiples of the bins of the record
 */
export function vppPowerSeries(
  world: World,
  record: SessionRecord,
  vpp: Vpp,
  { fromMs, toMs, stepsMax }: { readonly fromMs: EpochMs; readonly toMs: EpochMs; readonly stepsMax: number },
  view: ReaderView = "everything",
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
  const requestedKw = sumOf(settled.requestedKw, unsettled.requestedKw);
  const deliveredKw = sumOf(settled.deliveredKw, unsettled.deliveredKw);
  const uncoveredKw = sumOf(settled.uncoveredKw, unsettled.uncoveredKw);
  const causesKw = causeColumns(settled, unsettled, view);
  for (let k = 0; k < count; k++) {
    const atMs = firstMs + k * stepMs;
    if (atMs < nowMs) continue;
    deliveredKw[k] = uncoveredKw[k] = Number.NaN;
    for (const kw of causesKw.values()) kw[k] = Number.NaN;
    requestedKw[k] = promisedKw(vpp, atMs, atMs + stepMs);
  }
  return { fromMs: firstMs, stepMs, requestedKw, deliveredKw, uncoveredKw, causesKw };
}

const sumOf = (a: Float64Array, b: Float64Array | undefined): Float64Array =>
  b === undefined ? a : a.map((kw, k) => kw + b[k]);

/** The columns of the causes that occur. */
function causeColumns(settled: PowerSteps, unsettled: PowerSteps, view: ReaderView): Map<Cause, Float64Array> {
  const causesKw = new Map<Cause, Float64Array>();
  let unknownKw: Float64Array | undefined;
  CAUSES.forEach((cause, c) => {
    const [first, second] = [settled, unsettled].map((steps) => steps.causesKw.get(c));
    const kw = first === undefined ? second : sumOf(first, second);
    if (kw === undefined) return;
    const hidden = view === "everything" ? [] : [settled, unsettled].flatMap((steps) => steps.hiddenKw.get(c) ?? []);
    for (const hiddenKw of hidden) {
      unknownKw = sumOf(hiddenKw, unknownKw);
      kw.forEach((_, k) => (kw[k] = Math.max(0, kw[k] - hiddenKw[k])));
    }
    // A cause whose whole energy is hidden must not be named.
    if (hidden.length === 0 || kw.some((value) => value >= PRINTED_KW)) causesKw.set(cause, kw);
  });
  if (unknownKw !== undefined) causesKw.set("not_yet_known", unknownKw);
  return causesKw;
}

/** A smaller power is printed as 0. */
const PRINTED_KW = 0.0005;

/** What has happened since the last settlement of each running award. */
function openPieces({ spec, nowMs, sites }: World, { ledger, hiddenCauses }: SessionRecord, vpp: Vpp): PowerLog {
  const log = new PowerLog(spec, spec.vpps.length, hiddenCauses);
  for (const account of ledger.runningAccounts)
    if (account.instruction.vpp === vpp.index) settledCopy(account, nowMs, sites, { delivery: log, awards: [] });
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
