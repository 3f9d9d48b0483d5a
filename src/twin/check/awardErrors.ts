import type { RunRecord } from "../../accounting/runRecord.ts";
import type { AwardRow } from "../../accounting/settlement/awardRows.ts";
import { type EpochMs, MS_PER_HOUR, MS_PER_SECOND } from "../../base/time.ts";
import { Series } from "../../engine/series/model/series.ts";
import type { WorldSpec } from "../../engine/simulation/worldSpec.ts";
import type { NumberOrSeries } from "../../engine/vpp/instructions/instructionSpec.ts";
import { endOf, type MeasuredColumn, type MeasuredSite } from "../measured/measuredSeries.ts";
import { asMeasured, type SampledRun } from "./simulatedSamples.ts";

/** A figure as measured and as simulated. */
export interface Compared {
  readonly measured: number;
  readonly twin: number;
}

/** One award or instruction with a delta; kW and kWh along its request. */
export interface AwardError {
  readonly awardId: string;
  readonly startMs: EpochMs;
  readonly endMs: EpochMs;
  readonly requestedKwh: number;
  readonly uncoveredKw: Compared;
  readonly deliveredKwh: Compared;
  readonly shortfallKwh: Compared;
}

/** Least share of an award's time that must be measured. */
const MEASURED_SHARE_MIN = 0.9;

/**
 * Compares the awards of a run with what was measured against the reported baselines; those with long gaps are left out.
 *
 * Samples of a minute show a fast response late. Where the measurement has no finer ones, it is corrected by what the same
 * samples of the twin miss of its exact energy.
 */
export function awardErrors(
  world: WorldSpec,
  { record, samples }: SampledRun,
  measured: ReadonlyMap<string, MeasuredSite>,
): AwardError[] {
  const errors = sampledErrors(world, record, measured);
  if ([...measured.values()].some(({ fine }) => fine !== null)) return errors;
  const sampledTwin = world.sites.map(({ name }, k) => [name, asMeasured(name, samples[k], world.startMs)] as const);
  const twinErrors = sampledErrors(world, record, new Map(sampledTwin.filter(([name]) => measured.has(name))));
  const ofTwin = new Map(twinErrors.map((error) => [error.awardId, error]));
  return errors.map((error) => {
    const own = ofTwin.get(error.awardId) ?? error;
    const corrected = (of: (award: AwardError) => Compared): Compared => ({
      twin: of(error).twin,
      measured: Math.max(0, of(error).measured + of(own).twin - of(own).measured),
    });
    return {
      ...error,
      deliveredKwh: corrected(({ deliveredKwh }) => deliveredKwh),
      shortfallKwh: corrected(({ shortfallKwh }) => shortfallKwh),
    };
  });
}

/** Deltas of awards that run at the same time are divided among them in proportion to their requests. */
function sampledErrors(
  world: WorldSpec,
  { awards }: RunRecord,
  measured: ReadonlyMap<string, MeasuredSite>,
): AwardError[] {
  return world.vpps.flatMap((vpp) => {
    const members = vpp.members.flatMap(({ site }) => measured.get(world.sites[site].name) ?? []);
    const unmeasured = vpp.members.some(
      ({ site, allocationWeight }) => allocationWeight > 0 && !measured.has(world.sites[site].name),
    );
    const own = awards.filter((row) => row.vpp === vpp.name && row.shortfallKwh !== null);
    if (unmeasured || own.length === 0) return [];
    const power = vppSeconds(members, world);
    const activations = new Map(world.awards.map(({ awardId, activation }) => [awardId, activation]));
    const requests = own.map((row): Request => ({ row, activation: activations.get(row.awardId) ?? 1 }));
    const totalKw = new Float64Array(power.deltaKw.length);
    for (const request of requests)
      forSeconds(request, world, (second) => {
        totalKw[second] += Math.abs(request.row.requestedKw);
      });
    return requests.flatMap((request) => awardErrorOf(request, world, { ...power, totalKw }) ?? []);
  });
}

interface Request {
  readonly row: AwardRow;
  readonly activation: NumberOrSeries;
}

/** Calls a function with each second of a request, from the start of the run, and the requested kW. */
function forSeconds(
  { row, activation }: Request,
  { startMs, endMs }: WorldSpec,
  visit: (second: number, requestedKw: number) => void,
): void {
  for (let atMs = Math.max(row.startMs, startMs); atMs < Math.min(row.endMs, endMs); atMs += MS_PER_SECOND) {
    const share = activation instanceof Series ? activation.valueAt(atMs) : activation;
    visit(Math.floor((atMs - startMs) / MS_PER_SECOND), row.requestedKw * share);
  }
}

/** By second of the run: sums over the members with a dispatched delta; `isMeasured` where every member has a sample. */
interface VppSeconds {
  readonly deviationKw: Float64Array;
  readonly deltaKw: Float64Array;
  readonly isMeasured: Uint8Array;
}

function vppSeconds(members: readonly MeasuredSite[], { startMs, endMs }: WorldSpec): VppSeconds {
  const count = Math.ceil((endMs - startMs) / MS_PER_SECOND);
  const deviationKw = new Float64Array(count);
  const deltaKw = new Float64Array(count);
  const isMeasured = new Uint8Array(count).fill(1);
  for (const member of members) {
    const [baselines, deltas, powers] = (["baseline_kw", "dispatched_delta_kw", "current_kw"] as const).map((column) =>
      heldSeconds(member, column, startMs, count),
    );
    for (let second = 0; second < count; second++) {
      if (Number.isNaN(baselines[second])) isMeasured[second] = 0;
      else if (deltas[second] !== 0 && !Number.isNaN(deltas[second])) {
        deltaKw[second] += deltas[second];
        // A site out of service has no power, and counts 0.
        if (!Number.isNaN(powers[second])) deviationKw[second] += powers[second] - baselines[second];
      }
    }
  }
  return { deviationKw, deltaKw, isMeasured };
}

/** The values of a column held from stamp to stamp, those of finer tables over coarser ones; NaN: none. */
function heldSeconds(site: MeasuredSite, column: MeasuredColumn, startMs: EpochMs, count: number): Float64Array {
  const held = new Float64Array(count).fill(Number.NaN);
  for (const table of site.tables) {
    const values = table.columns.get(column);
    for (let row = 0; values !== undefined && row < values.length; row++) {
      const [from, to] = [table.timesMs[row], endOf(table, row)].map((atMs) =>
        Math.ceil((atMs - startMs) / MS_PER_SECOND),
      );
      held.fill(values[row], Math.max(0, from), Math.max(0, to));
    }
  }
  return held;
}

/** A minute after the start every order has arrived. */
const DISPATCHED_AFTER_SECONDS = 60;

function awardErrorOf(
  request: Request,
  world: WorldSpec,
  { deviationKw, deltaKw, isMeasured, totalKw }: VppSeconds & { readonly totalKw: Float64Array },
): AwardError | null {
  const { row } = request;
  const sign = Math.sign(row.requestedKw);
  let [seconds, measuredSeconds, shortfallKws, deliveredKws, uncoveredKw] = [0, 0, 0, 0, 0];
  forSeconds(request, world, (second, requestedKw) => {
    seconds++;
    if (isMeasured[second] === 0) return;
    measuredSeconds++;
    const share = Math.abs(row.requestedKw) / totalKw[second];
    const deliveredKw = Math.max(0, sign * deviationKw[second]) * share;
    deliveredKws += deliveredKw;
    shortfallKws += Math.max(0, Math.abs(requestedKw) - deliveredKw);
    if (measuredSeconds <= DISPATCHED_AFTER_SECONDS)
      uncoveredKw = Math.max(0, Math.abs(row.requestedKw) - sign * deltaKw[second] * share);
  });
  if (seconds === 0 || measuredSeconds < MEASURED_SHARE_MIN * seconds) return null;
  const toKwh = (kws: number): number => ((kws * seconds) / measuredSeconds) * (MS_PER_SECOND / MS_PER_HOUR);
  return {
    awardId: row.awardId,
    startMs: row.startMs,
    endMs: row.endMs,
    requestedKwh: Math.abs(row.requestedKwh ?? 0),
    uncoveredKw: { measured: uncoveredKw, twin: Math.abs(row.uncoveredKw ?? 0) },
    deliveredKwh: { measured: toKwh(deliveredKws), twin: sign * (row.deliveredKwh ?? 0) },
    shortfallKwh: { measured: toKwh(shortfallKws), twin: row.shortfallKwh ?? 0 },
  };
}
