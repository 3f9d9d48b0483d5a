import { inputRefusal } from "../../base/inputError.ts";
import { sumOf } from "../../base/lists.ts";
import { resolve } from "../../base/paths.ts";
import { type EpochMs, isoUtc } from "../../base/time.ts";
import { buildScenario } from "../../inputs/scenario/loadScenario.ts";
import type { Patch } from "../../inputs/scenario/patch/patchValue.ts";
import type { Scenario } from "../../inputs/scenario/scenario.ts";
import { ScenarioSource } from "../../inputs/scenario/scenarioSource.ts";
import { valuesOf } from "../fit/siteInput.ts";
import { type MeasuredSite, siteWithin } from "../measured/measuredSeries.ts";
import { type AwardError, awardErrors } from "./awardErrors.ts";
import { effectBounds, type WeightFigures } from "./effectBounds.ts";
import { periodScenario } from "./periodScenario.ts";
import { runSampled, type SampledRun } from "./simulatedSamples.ts";
import { type SiteError, siteError, totalError } from "./siteErrors.ts";
import { type SiteStorage, siteStorages } from "./siteStorage.ts";

/** Name of the scenario of the period in the folder of a check. */
export const PERIOD_SCENARIO = "scenario.yaml";

interface CheckInput {
  readonly source: ScenarioSource;
  readonly measured: ReadonlyMap<string, MeasuredSite>;
  readonly fromMs: EpochMs;
  readonly toMs: EpochMs;
  /** The calibration; empty: the scenario as written. */
  readonly patch: Patch;
  /** Parameter sets of the resamples of the calibration. */
  readonly draws: readonly Patch[];
  /** Folder of the check, for the paths of files in the scenario of the period. */
  readonly folder: string;
  readonly seedCount: number;
  readonly onProgress: (done: number) => void;
}

/** How far the twin is from the plant over a period. */
export interface TwinCheck {
  readonly scenario: Scenario;
  /** Text of the scenario of the period. */
  readonly scenarioText: string;
  readonly measured: ReadonlyMap<string, MeasuredSite>;
  readonly run: SampledRun;
  readonly sites: readonly SiteError[];
  readonly storages: ReadonlyMap<string, SiteStorage>;
  readonly total: Pick<SiteError, "kwMae" | "kwhErrorPct">;
  readonly awards: readonly AwardError[];
  readonly within: WeightFigures;
  /** Whether `within` has the errors of parameters: a calibration is beside the patch. */
  readonly hasDraws: boolean;
  readonly isGoodEnough: boolean;
}

/**
 * Runs the twin over a measured period, from the state of charge, weights and orders in force at its start, and compares (docs/model/twin.md#check).
 *
 * @throws InputErrors if the period is not one of the scenario, or nothing was measured in it
 */
export async function checkTwin(input: CheckInput): Promise<TwinCheck> {
  const { source, fromMs, toMs, folder, patch } = input;
  const measured = measuredWithin(input);
  const storages = siteStorages(source);
  const start = startOfCharge(storages, measured, fromMs);
  const scenarioText = periodScenario(source, { fromMs, toMs, patches: [patch, start] }, folder);
  const path = resolve(folder, PERIOD_SCENARIO);
  const bytes = new TextEncoder().encode(scenarioText);
  const files = { ...source.files, read: (name: string) => (resolve(name) === path ? bytes : source.files.read(name)) };
  const period = new ScenarioSource(path, files);
  const scenario = buildScenario(period);
  const { world } = scenario;
  const run = await runSampled(world);
  const compared = world.sites.flatMap(({ name }, k) => {
    const site = measured.get(name);
    return site === undefined ? [] : [{ measured: site, twin: run.samples[k] }];
  });
  const sites = compared.map((site) =>
    siteError(site.measured, site.twin, world, isInOrder(scenario, site.measured.site)),
  );
  const awards = awardErrors(world, run, measured);
  const within = await effectBounds(period, world, input.draws, awards, {
    seedCount: input.seedCount,
    onProgress: input.onProgress,
  });
  return {
    scenario,
    scenarioText,
    measured,
    run,
    sites,
    storages,
    total: totalError(compared, world),
    awards,
    within,
    hasDraws: input.draws.length > 0,
    isGoodEnough: input.draws.length > 0 && isGoodEnough(within, awards),
  };
}

function measuredWithin({ measured, fromMs, toMs, source }: CheckInput): ReadonlyMap<string, MeasuredSite> {
  const { content } = source;
  if (content === null) throw source.errors.toInputErrors();
  const { start, end } = content.config;
  const allowed = `a period within that of the scenario, ${isoUtc(start)} to ${isoUtc(end)}`;
  if (fromMs < start || end < toMs || toMs <= fromMs)
    throw inputRefusal("--from, --to", `${isoUtc(fromMs)} to ${isoUtc(toMs)}`, allowed);
  const sites = [...measured.values()].flatMap((site) => siteWithin(site, fromMs, toMs) ?? []);
  if (sites.length === 0)
    throw inputRefusal("--measured", "no row of the period", `rows from ${isoUtc(fromMs)} to ${isoUtc(toMs)}`);
  return new Map(sites.map((site) => [site.site, site]));
}

/** State of charge of each storage at its first sample, if that is near the start. */
function startOfCharge(
  storages: ReadonlyMap<string, SiteStorage>,
  measured: ReadonlyMap<string, MeasuredSite>,
  fromMs: EpochMs,
): Patch {
  const values: Record<string, number> = {};
  for (const [site, { startPath }] of storages) {
    const main = measured.get(site)?.main;
    if (main === undefined) continue;
    const soc = valuesOf(main, "soc");
    const row = soc.findIndex((pct) => !Number.isNaN(pct));
    if (row >= 0 && main.timesMs[row] - fromMs <= START_SPACINGS * main.spacingMs) values[startPath] = soc[row];
  }
  return values;
}

/** A first sample later than this does not show the start. */
const START_SPACINGS = 3;

const isInOrder =
  ({ world }: Scenario, site: string) =>
  (atMs: EpochMs): boolean =>
    world.awards.some(
      ({ vpp, startMs, endMs }) =>
        startMs <= atMs &&
        atMs < endMs &&
        world.vpps[vpp].members.some((member) => world.sites[member.site].name === site),
    );

/** Of the measured shortfall, and of what was requested. */
const WITHIN_SHORTFALL_MAX = 0.15;
const WITHIN_REQUESTED_MAX = 0.01;

function isGoodEnough({ shortfallKwh }: WeightFigures, awards: readonly AwardError[]): boolean {
  const measuredKwh = sumOf(awards, (award) => award.shortfallKwh.measured);
  const requestedKwh = sumOf(awards, (award) => award.requestedKwh);
  return (
    requestedKwh > 0 &&
    (shortfallKwh <= WITHIN_SHORTFALL_MAX * measuredKwh || shortfallKwh < WITHIN_REQUESTED_MAX * requestedKwh)
  );
}
