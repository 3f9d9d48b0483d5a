import { quantile } from "simple-statistics";

/** One parameter of a site, as far as its measurements determine it (docs/model/twin.md#calibration). */
export interface Estimate {
  readonly parameter: string;
  /** `component` where the parameter is of one; `site`: of the whole. */
  readonly scope: "component" | "site";
  /** Study path below the component or the site; `null`: the scenario has no such key. */
  readonly key: string | null;
  readonly unit: string;
  /** In the scenario; `null`: no value. */
  readonly before: number | string | null;
  readonly status: "identified" | "not_identifiable" | "at_bound";
  readonly value: number | string | null;
  readonly low: number | null;
  readonly high: number | null;
  readonly why: string | null;
  readonly method: string;
  /** Windows, rows, steps or days that it is estimated from. */
  readonly samples: number;
  /** Values in the resamples, of which those of one number belong together; empty: none. */
  readonly draws: readonly (number | string)[];
}

/** Mean absolute error of a quantity with the parameters of the scenario and with the estimates. */
export interface Fit {
  readonly quantity: string;
  readonly unit: string;
  readonly maeBefore: number;
  readonly maeAfter: number;
  readonly rows: number;
}

export interface FitResult {
  readonly estimates: readonly Estimate[];
  readonly fits: readonly Fit[];
}

export type ParameterName = Pick<Estimate, "parameter" | "scope" | "key" | "unit" | "before">;

/** A parameter of a component. @param key  below the component; `null`: the scenario has no such key */
export const componentParameter = (
  parameter: string,
  key: string | null,
  unit: string,
  before: number | null,
): ParameterName => ({ parameter, scope: "component", key, unit, before });

interface Interval {
  /** Share of the resamples within low and high. */
  readonly level: number;
  /** Half a step of the grid or of the digits, an error of its own that widens the interval on both sides. */
  readonly resolution: number;
  /** Said beside the value; absent: nothing. */
  readonly note?: string | undefined;
}

/** A number with its percentile interval, which contains the value. */
export function identified(
  name: ParameterName,
  value: number,
  draws: readonly number[],
  { level, resolution, note }: Interval,
  { method, samples }: Pick<Estimate, "method" | "samples">,
): Estimate {
  const finite = draws.filter(Number.isFinite);
  const edge = (share: number) => (finite.length === 0 ? value : quantile(finite, share));
  // Two independent errors.
  const widened = (half: number): number => Math.sqrt(Math.max(0, half) ** 2 + resolution ** 2);
  const low = value - widened(value - edge((1 - level) / 2));
  const high = value + widened(edge((1 + level) / 2) - value);
  return { ...name, status: "identified", value, low, high, why: note ?? null, method, samples, draws };
}

/** What a fit found, and what it finds in resamples. */
interface Resampled<Found> extends Pick<Interval, "level" | "note">, Pick<Estimate, "method" | "samples"> {
  readonly found: Found;
  readonly draws: readonly Found[];
}

/** A figure of what a fit found. @param resolution  as in an interval */
export const figureOf = <Found>(
  name: ParameterName,
  of: (found: Found) => number,
  resolution: number,
  { found, draws, level, note, method, samples }: Resampled<Found>,
): Estimate => identified(name, of(found), draws.map(of), { level, resolution, note }, { method, samples });

/** A result without any value, for one reason. */
export const nothingIdentifiable = (
  names: readonly ParameterName[],
  why: string,
  method: string,
  samples = 0,
): FitResult => ({ estimates: names.map((name) => notIdentifiable(name, why, method, samples)), fits: [] });

/** A parameter that cannot be negative. */
export const notBelowZero = (estimate: Estimate): Estimate => ({ ...estimate, low: Math.max(0, estimate.low ?? 0) });

export const notIdentifiable = (name: ParameterName, why: string, method = "none", samples = 0): Estimate => ({
  ...name,
  status: "not_identifiable",
  value: null,
  low: null,
  high: null,
  why,
  method,
  samples,
  draws: [],
});
