/** Limiting factor of the power, from which shortfall causes are derived. @see docs/model/accounting.md#attribution */
export const LIMITING_FACTOR = {
  /** The power follows the set-point. */
  none: 0,
  /** The stored energy is at a bound. */
  socBound: 1,
  /** Rating, taper or grid limit. */
  powerLimit: 2,
  /** The power ramps towards the set-point. */
  ramp: 3,
  outputControl: 4,
  /** The available sun or wind power is lower. */
  weather: 5,
  /** The load differs from the baseline, or is too small for the requested reduction. */
  load: 6,
} as const;
export type LimitingFactor = (typeof LIMITING_FACTOR)[keyof typeof LIMITING_FACTOR];
