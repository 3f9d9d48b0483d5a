import { MS_PER_HOUR } from "../../base/time.ts";
import { AS_PRINTED, type UnitScale } from "../text/parseAmount.ts";

/** Units that are converted: power to kW, energy of an interval to its mean kW. Others stay as they are printed. */
const POWER_EXPONENTS: Readonly<Record<string, number>> = { W: -3, kW: 0, 万kW: 4, MW: 3, GW: 6 };
const ENERGY_EXPONENTS: Readonly<Record<string, number>> = { Wh: -3, kWh: 0, 万kWh: 4, MWh: 3, GWh: 6 };
const PRICE_UNITS: Readonly<Record<string, string>> = { "円/kWh": "JPY/kWh", "JPY/kWh": "JPY/kWh" };

export const UNIT_NAMES: readonly string[] = [
  ...Object.keys(POWER_EXPONENTS),
  ...Object.keys(ENERGY_EXPONENTS),
  "JPY/kWh",
  "none",
];

interface UnitConversion {
  readonly unit: string;
  readonly scale: UnitScale;
}

/**
 * The conversion of a printed unit, in any case of its letters.
 *
 * @param intervalMs length of an interval, in which an energy is counted
 * @returns `null` for an unknown unit
 */
export function conversionOf(printed: string, intervalMs: number): UnitConversion | null {
  const known = UNIT_NAMES.find((name) => name.toLowerCase() === printed.toLowerCase()) ?? printed;
  if (known === "none") return { unit: "", scale: AS_PRINTED };
  const power = POWER_EXPONENTS[known];
  if (power !== undefined) return { unit: "kW", scale: { exponent: power, factor: 1, divisor: 1 } };
  const energy = ENERGY_EXPONENTS[known];
  if (energy !== undefined)
    return { unit: "kW", scale: { exponent: energy, factor: MS_PER_HOUR, divisor: intervalMs } };
  const price = PRICE_UNITS[known];
  return price === undefined ? null : { unit: price, scale: AS_PRINTED };
}

/** The unit in brackets at the end of a normalised header, as in 需要電力(kW); `null` where there is none. */
export const printedUnitOf = (header: string): string | null => /[([]([^()[\]]+)[)\]]$/.exec(header)?.[1] ?? null;
