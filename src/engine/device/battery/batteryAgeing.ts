// Loss of capacity of a lithium iron phosphate cell by time and by cycles (docs/model/battery.md#ageing). Losses and depths are
// fractions of the rated capacity, 0..1.
import { exp, pow } from "../../../base/elementary.ts";

/** Conditions of the cells that hold for the whole run. */
export interface AgeingConditions {
  readonly temperatureC: number;
  /** Current as a multiple of the one that charges the rated capacity in an hour. */
  readonly cRate: number;
}

export interface AgeingLosses {
  readonly calendar: number;
  readonly cycle: number;
}

/** What happened to the cells in a period. */
export interface AgeingPeriod {
  readonly seconds: number;
  /** Mean state of charge and range of the state of charge, 0..1. */
  readonly meanSocFraction: number;
  readonly depth: number;
  readonly equivalentFullCycles: number;
}

/** Gas constant in J/(mol·K), and 25 °C. */
const GAS_CONSTANT = 8.3144598;
const REFERENCE_K = 298.15;
const ZERO_CELSIUS_K = 273.15;

/**
 * The losses after a period. Both grow with a square root, at a rate that the conditions of the period determine: the time, or
 * the cycles, after which this rate gives the losses so far come before the period.
 */
export function lossesAfter(
  { calendar, cycle }: AgeingLosses,
  { temperatureC, cRate }: AgeingConditions,
  { seconds, meanSocFraction, depth, equivalentFullCycles }: AgeingPeriod,
): AgeingLosses {
  const calendarRate = calendarLossPerRootSecond(temperatureC, meanSocFraction);
  const cycleRate = cycleLossPerRootCycle(depth, cRate);
  return {
    calendar: Math.sqrt(calendar ** 2 + calendarRate ** 2 * seconds),
    cycle: Math.sqrt(cycle ** 2 + cycleRate ** 2 * equivalentFullCycles),
  };
}

/** Calendar loss per square root of a second. */
export function calendarLossPerRootSecond(temperatureC: number, soc: number): number {
  const temperatureK = temperatureC + ZERO_CELSIUS_K;
  const byTemperature = 1.2571e-5 * exp((-17_126 / GAS_CONSTANT) * (1 / temperatureK - 1 / REFERENCE_K));
  return byTemperature * (2.8575 * pow(soc - 0.5, 3) + 0.60225);
}

/** Cycle loss per square root of an equivalent full cycle. */
export const cycleLossPerRootCycle = (depth: number, cRate: number): number =>
  (0.063 * cRate + 0.0971) * (4.0253 * pow(depth - 0.6, 3) + 1.0923) * 0.01;
