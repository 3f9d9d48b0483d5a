import {
  clampSymmetric,
  droopResponsePerKw,
  type FcrConfig,
} from "../../src/engine/device/frequency/frequencyResponse.ts";

/**
 * Frequency response of a device with FCR capacity at one frequency, in kW, import positive.
 *
 * @param ratedKw  of the site (`ratedPowerKw`)
 * @param fcrCapacityKw  at least 0; the response is limited to ±fcrCapacityKw
 * @see docs/model/frequency-response.md#droop
 */
export const frequencyResponseKw = (config: FcrConfig, ratedKw: number, fcrCapacityKw: number, hz: number): number =>
  clampSymmetric(ratedKw * droopResponsePerKw(config, hz), fcrCapacityKw);
