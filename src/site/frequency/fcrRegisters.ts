/**
 * What the frequency response of one order has moved at one site so far.
 *
 * The realised response is what the device gave, not what the frequency asked: between 0 and that, less what power
 * limits and bounds took once coexisting deltas had lost theirs (docs/model/frequency-response.md#yielding-deltas, docs/model/frequency-response.md#coexisting, docs/model/frequency-response.md#two-sided-capability).
 */
export interface FcrRegisters {
  /** Realised response above the baseline: more import or less export, in kWh, at least 0. */
  upKwh: number;
  /** Realised response below the baseline, in kWh, at least 0. */
  downKwh: number;
  /** What the frequency asked within the width, both directions, in kWh; never below `activatedUpKwh + activatedDownKwh`. */
  requestedKwh: number;
  /** Time at a bound of the stored energy while the order was in force here, in ms. */
  atBoundMs: number;
}

export const ZERO_FCR_REGISTERS: Readonly<FcrRegisters> = { upKwh: 0, downKwh: 0, requestedKwh: 0, atBoundMs: 0 };
