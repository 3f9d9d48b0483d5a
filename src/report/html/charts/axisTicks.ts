import { log10, pow } from "../../../base/elementary.ts";
import { formatFixed } from "../page/format.ts";

export interface Tick {
  readonly at: number;
  readonly label: string;
}

/** The range of a value axis and its ticks, all multiples of one step. */
export interface ValueTicks {
  readonly min: number;
  readonly max: number;
  readonly ticks: readonly Tick[];
}

const FACTORS = [1, 2, 2.5, 5, 10];

/** A range around the values and 0. */
export const valueTicks = (values: readonly number[], stepsMax: number): ValueTicks =>
  rangeTicks([0, ...values], stepsMax);

/**
 * A range around the values, with at most about `stepsMax` steps of 1, 2, 2.5 or 5 times a power of ten.
 *
 * @param unit  of which a step is a multiple; 0: any
 */
export function rangeTicks(values: readonly number[], stepsMax: number, unit = 0): ValueTicks {
  const low = values.reduce((least, value) => Math.min(least, value));
  const most = values.reduce((largest, value) => Math.max(largest, value));
  const high = low < most ? most : low + 1;
  const roughStep = Math.max(unit, (high - low) / stepsMax);
  const power = pow(10, Math.floor(log10(roughStep) + 1e-9));
  const fits = (step: number): boolean =>
    roughStep <= step * (1 + 1e-9) && (unit === 0 || Number.isInteger(step / unit));
  const step = FACTORS.map((factor) => factor * power).find(fits) ?? 10 * power;
  const [first, last] = [Math.floor(low / step + 1e-9), Math.ceil(high / step - 1e-9)];
  const ticks = Array.from({ length: last - first + 1 }, (_, k) => (first + k) * step);
  return { min: first * step, max: last * step, ticks: ticks.map((at) => ({ at, label: formatTick(at, step) })) };
}

/** As few decimals as the step needs, up to three. */
function formatTick(value: number, step: number): string {
  const decimals = [1, 10, 100].findIndex((factor) => Math.abs(step * factor - Math.round(step * factor)) < 1e-6);
  return formatFixed(value, decimals < 0 ? 3 : decimals);
}
