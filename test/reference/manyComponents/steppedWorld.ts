// A world of one site of several components that holds FCR capacity: the simulator beside small steps.

import type { AwardRow } from "../../../src/accounting/settlement/awardRows.ts";
import { roundKw } from "../../../src/base/rounding.ts";
import type { Series } from "../../../src/engine/series/model/series.ts";
import type { WorldSpec } from "../../../src/engine/simulation/worldSpec.ts";
import { createSiteBaseline } from "../../../src/engine/site/baseline/createSiteBaseline.ts";
import { planKwAt } from "../../../src/engine/site/baseline/siteBaseline.ts";
import type { AwardSpec } from "../../../src/engine/vpp/instructions/instructionSpec.ts";
import { type Row, RowCollector } from "../../accounting/tableRows.ts";
import { at, parseEvents, runSmallWorld, T0 } from "../../simulation/smallWorld.ts";
import { type FcrShare, type SteppedInputs, SteppedSite } from "./steppedSite.ts";

const HALF_HOUR = 1_800_000;
const PATHS = ["fromGenerator", "fromGrid", "toLoad", "toBattery", "toGrid"] as const;
const COLUMN = {
  fromGenerator: "from_generator_kwh",
  fromGrid: "from_grid_kwh",
  toLoad: "to_load_kwh",
  toBattery: "to_battery_kwh",
  toGrid: "to_grid_kwh",
} as const;

/** Whether an event of a kind lasts at an instant. */
function periodsOf(lines: readonly string[], kind: string): (atMs: number) => boolean {
  const periods = lines
    .map((line) => line.split(" "))
    .filter(([found]) => found === kind)
    .map(([, period]) => period.split("-").map((time) => at(time)));
  return (atMs) => periods.some(([startMs, endMs]) => startMs <= atMs && atMs < endMs);
}

/** "outage 02:10-02:40", "output_control 02:10-02:40 40 fit_curtailment" and so on, of the one site. */
export const worldEvents = (lines: readonly string[]) => parseEvents(...lines.map((line) => line.replace(" ", " 0 ")));

interface StepOptions {
  /** Divides a second. Default 200. */
  readonly stepMs?: number;
  /** Length of the records. Default half an hour. */
  readonly intervalMs?: number;
  /** Default 0.05 kWh a record. */
  readonly toleranceKwh?: number;
}

/** What differs by more than 0.05 kWh a record, and what the response moved in both. */
export function compareSteps(
  spec: WorldSpec,
  frequency: Series,
  lines: readonly string[] = [],
  options: StepOptions = {},
) {
  const { stepMs = 200, intervalMs = HALF_HOUR, toleranceKwh = 0.05 } = options;
  const components = new RowCollector();
  const ran = runSmallWorld(spec, { intervalMs, components });
  const [site] = spec.sites;
  const one = new SteppedSite(site);
  const { planKw, slotsKw } = createSiteBaseline(site, spec);
  const differences: string[] = [];
  let before = one.components.map(({ paths }) => ({ ...paths }));
  const changes = new Set([
    ...spec.awards.flatMap(({ startMs, endMs }) => [startMs, endMs]),
    ...ran.dispatch.map((row) => Number(row.timestamp)),
  ]);
  const isOut = periodsOf(lines, "outage");
  const isControlled = periodsOf(lines, "output_control");
  const isAtFault = periodsOf(lines, "fcr_fault");
  let setpoint: SteppedInputs["setpoint"] = null;
  let shares: FcrShare[] = [];
  for (let atMs = spec.startMs; atMs < spec.endMs; atMs += stepMs) {
    if (changes.has(atMs)) {
      const setpoints = setpointsAt(ran.dispatch, spec.awards, atMs);
      setpoint =
        setpoints.length === 0
          ? null
          : { deltaKw: sum(setpoints, "deltaKw"), baselineKw: roundKw(planKwAt(slotsKw, setpoints[0].startMs)) };
      shares = setpoints
        .filter(({ capacityKw }) => capacityKw > 0)
        .map((one) => (one.limitKw < 1e9 ? one : { ...one, deltaKw: 0 }));
    }
    one.step(atMs, stepMs, {
      setpoint,
      isInService: !isOut(atMs),
      outputLimitShare: isControlled(atMs) ? 0.4 : 1,
      planKw: planKwAt(planKw, atMs + stepMs / 2),
      // A device at fault answers like one that measures the reference.
      fcr: { shares, frequencyHz: isAtFault(atMs) ? site.fcr.freqRefHz : frequency.valueAt(atMs + stepMs / 2) },
    });
    const sinceMs = atMs + stepMs - spec.startMs;
    if (sinceMs % intervalMs !== 0) continue;
    const startMs = spec.startMs + sinceMs - intervalMs;
    one.components.forEach(({ spec: { componentId }, paths }, k) => {
      const row = components.rows.find(
        ({ component, start }) => component === componentId && Number(start) === startMs,
      );
      for (const path of PATHS) {
        const kwh = paths[path] - before[k][path];
        const found = Number(row?.[COLUMN[path]] ?? 0);
        if (!(Math.abs(found - kwh) <= toleranceKwh))
          differences.push(`${sinceMs / intervalMs - 1} ${componentId} ${path}: ${found}, stepped ${kwh}`);
      }
    });
    before = one.components.map(({ paths }) => ({ ...paths }));
  }
  const upKwh = movedKwh(ran.record.awards, "activatedUpKwh");
  const downKwh = movedKwh(ran.record.awards, "activatedDownKwh");
  return { ran, differences, moved: [upKwh, downKwh] as const, stepped: [one.upKwh, one.downKwh] as const };
}

const movedKwh = (awards: readonly AwardRow[], of: "activatedUpKwh" | "activatedDownKwh"): number =>
  awards.reduce((all, { fcr }) => all + (fcr?.[of] ?? 0), 0);

interface AwardSetpoint {
  readonly startMs: number;
  readonly deltaKw: number;
  readonly capacityKw: number;
  readonly limitKw: number;
}

/** What each award has the site do, as the dispatch table has it, oldest registration first. */
function setpointsAt(dispatch: readonly Row[], awards: readonly AwardSpec[], atMs: number): AwardSetpoint[] {
  return awards.flatMap(({ awardId, sku, startMs, endMs }) => {
    if (atMs < startMs || endMs <= atMs) return [];
    const row = dispatch.filter(({ award_id, timestamp: when }) => award_id === awardId && Number(when) <= atMs).at(-1);
    if (row?.dispatch_status !== "dispatched") return [];
    const deltaKw = Number(row.delta_kw ?? 0);
    const isCompound = sku === "compound";
    return {
      startMs,
      deltaKw,
      capacityKw: Number(row.fcr_response_kw ?? 0),
      limitKw: isCompound ? Math.abs(deltaKw) : Number.POSITIVE_INFINITY,
    };
  });
}

const sum = (setpoints: readonly AwardSetpoint[], of: "deltaKw"): number =>
  setpoints.reduce((all, one) => all + one[of], 0);

export const HOURS = 6;
export const END = T0 + HOURS * 3_600_000;
