/**
 * Cumulative frequency response of one order at one site.
 *
 * The realised response lies between 0 and the requested one: it is reduced by power limits and energy bounds after coexisting
 * deltas have been reduced to 0 (docs/model/frequency-response.md#reduced-deltas, docs/model/frequency-response.md#coexisting, docs/model/frequency-response.md#two-sided-capability).
 */
export interface FcrRegisters {
  /** Realised response above the baseline: more import or less export, in kWh, at least 0. */
  upKwh: number;
  /** Realised response below the baseline, in kWh, at least 0. */
  downKwh: number;
  /** Response requested by the frequency within the FCR capacity, both directions, in kWh; at least `upKwh + downKwh`. */
  requestedKwh: number;
  /** Time at a bound of the stored energy while the order was in force, in ms. */
  atBoundMs: number;
}

export const ZERO_FCR_REGISTERS: Readonly<FcrRegisters> = { upKwh: 0, downKwh: 0, requestedKwh: 0, atBoundMs: 0 };
