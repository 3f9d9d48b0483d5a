import { quantile } from "simple-statistics";
import { NUMERIC_KPI_NAMES } from "../../accounting/kpis/kpiRegistry.ts";
import { groupBy, sumOf } from "../../base/lists.ts";
import { MS_PER_DAY } from "../../base/time.ts";
import type { WorldSpec } from "../../engine/simulation/worldSpec.ts";
import type { Patch } from "../../inputs/scenario/patch/patchValue.ts";
import type { ScenarioSource } from "../../inputs/scenario/scenarioSource.ts";
import { Evaluator } from "../../study/workers/evaluator.ts";
import type { AwardError, Compared } from "./awardErrors.ts";

/** Figures of a run that a what-if on weights changes. */
export interface WeightFigures {
  readonly shortfallKwh: number;
  readonly uncoveredKw: number;
}

/** Share of the effects and errors that lie within a bound. */
const LEVEL = 0.95;

/** Runs of all parameter sets together, and the fewest sets. */
const RUNS_MAX = 5_000;
const DRAWS_MIN = 10;

/** Factors by which each weight is changed in turn. */
const WEIGHT_FACTORS = ["*0.5", "*2"];

/**
 * How far the effect of a change of weights in the twin may be from that in the plant (docs/model/twin.md#within): the spread of the effect over parameter
 * sets, plus the error of the total over blocks of a day.
 *
 * @param draws  parameter sets; the source has the best fit
 * @param onProgress  receives the completed fraction
 */
export async function effectBounds(
  source: ScenarioSource,
  world: WorldSpec,
  draws: readonly Patch[],
  awards: readonly AwardError[],
  { seedCount, onProgress }: { readonly seedCount: number; readonly onProgress: (done: number) => void },
): Promise<WeightFigures> {
  const evaluator = await Evaluator.open(source, null);
  const variants = weightVariants(world);
  const seeds = Array.from({ length: seedCount }, (_, k) => world.seed + k);
  const fitted = effectsOf(evaluator, {}, variants, seeds);
  const spread: WeightFigures[] = [];
  const drawn = draws.slice(0, Math.max(DRAWS_MIN, Math.floor(RUNS_MAX / (variants.length * seedCount))));
  drawn.forEach((draw, k) => {
    effectsOf(evaluator, draw, variants, seeds).forEach((effect, v) => {
      const best = fitted[v];
      if (effect !== null && best !== null) spread.push(changeBetween(best, effect));
    });
    onProgress((k + 1) / drawn.length);
  });
  const days = [...groupBy(awards, ({ startMs }) => Math.floor((startMs - world.startMs) / MS_PER_DAY)).values()];
  const shortfallErrors = days.map((day) => sumOf(day, ({ shortfallKwh }) => differenceOf(shortfallKwh)));
  const uncoveredErrors = days.map((day) => differenceOf(largestUncovered(day)));
  return {
    shortfallKwh:
      bound(spread.map(({ shortfallKwh }) => shortfallKwh)) + bound(shortfallErrors) * Math.sqrt(days.length),
    uncoveredKw: bound(spread.map(({ uncoveredKw }) => uncoveredKw)) + bound(uncoveredErrors),
  };
}

/** Each weight halved and doubled in turn. */
const weightVariants = ({ vpps, sites }: WorldSpec): Patch[] =>
  vpps.flatMap(({ name, members }) =>
    members.flatMap(({ site }) =>
      WEIGHT_FACTORS.map((factor) => ({ [`weights.${name}.${sites[site].name}`]: factor })),
    ),
  );

/** The effect of each variant on the figures of a run with a parameter set; `null`: the scenario refuses it. */
function effectsOf(
  evaluator: Evaluator,
  draw: Patch,
  variants: readonly Patch[],
  seeds: readonly number[],
): (WeightFigures | null)[] {
  const written = figuresOf(evaluator, draw, seeds);
  return variants.map((variant) => {
    const changed = figuresOf(evaluator, { ...draw, ...variant }, seeds);
    return written === null || changed === null ? null : changeBetween(written, changed);
  });
}

const changeBetween = (before: WeightFigures, after: WeightFigures): WeightFigures => ({
  shortfallKwh: after.shortfallKwh - before.shortfallKwh,
  uncoveredKw: after.uncoveredKw - before.uncoveredKw,
});

/** Means over the seeds; `null`: the scenario refuses the patch. */
function figuresOf(evaluator: Evaluator, patch: Patch, seeds: readonly number[]): WeightFigures | null {
  const runs = seeds.flatMap((seed) => {
    const { kpis } = evaluator.run(patch, seed);
    return kpis === null ? [] : [kpis];
  });
  if (runs.length === 0) return null;
  const mean = (name: (typeof NUMERIC_KPI_NAMES)[number]): number =>
    sumOf(runs, (kpis) => kpis[NUMERIC_KPI_NAMES.indexOf(name)] ?? 0) / runs.length;
  return { shortfallKwh: mean("shortfall_kwh"), uncoveredKw: mean("uncovered_kw_max") };
}

/** The largest uncovered power of the awards of a day. */
const largestUncovered = (day: readonly AwardError[]): Compared => ({
  measured: Math.max(...day.map(({ uncoveredKw }) => uncoveredKw.measured)),
  twin: Math.max(...day.map(({ uncoveredKw }) => uncoveredKw.twin)),
});

const differenceOf = ({ measured, twin }: Compared): number => twin - measured;

/** Of the absolute values; 0 of none. */
const bound = (values: readonly number[]): number => (values.length === 0 ? 0 : quantile(values.map(Math.abs), LEVEL));
