import { ownValue } from "../../../base/ownValue.ts";
import { MS_PER_HOUR } from "../../../base/time.ts";
import { normaliseText } from "../text/normaliseText.ts";
import { AS_PRINTED, type UnitScale } from "../text/parseAmount.ts";

/** Units that are converted: power to kW, energy of an interval to its mean kW. Others stay as they are printed. */
const POWER_EXPONENTS: Readonly<Record<string, number>> = {
  W: -3,
  ワット: -3,
  kW: 0,
  千kW: 3,
  万kW: 4,
  百万kW: 6,
  億kW: 8,
  MW: 3,
  GW: 6,
};
const ENERGY_EXPONENTS: Readonly<Record<string, number>> = {
  Wh: -3,
  kWh: 0,
  千kWh: 3,
  万kWh: 4,
  百万kWh: 6,
  億kWh: 8,
  MWh: 3,
  GWh: 6,
};
const CURRENCIES: Readonly<Record<string, string>> = { 円: "JPY", yen: "JPY", "€": "EUR", "£": "GBP", $: "USD" };

const ALL_NAMES: readonly string[] = [...Object.keys(POWER_EXPONENTS), ...Object.keys(ENERGY_EXPONENTS), "none"];
/** For messages. */
export const UNIT_NAMES: readonly string[] = [
  "W",
  "kW",
  "MW",
  "Wh",
  "kWh",
  "万kWh",
  "MWh",
  "JPY/kWh",
  "EUR/MWh",
  "none",
];

interface UnitConversion {
  readonly unit: string;
  readonly scale: UnitScale;
  /** Whether the value is an energy, which becomes the mean power of its interval. */
  readonly isEnergy: boolean;
}

/**
 * The conversion of a printed unit, in any case of its letters; that of an energy is into kWh.
 *
 * @returns `null` for an unknown unit
 */
export function conversionOf(printed: string): UnitConversion | null {
  // A small m before a large W is milli.
  if (/^mWh?$/.test(printed)) return null;
  const known = ALL_NAMES.find((name) => name.toLowerCase() === printed.toLowerCase()) ?? printed;
  if (known === "none") return { unit: "", scale: AS_PRINTED, isEnergy: false };
  const exponent = ownValue(POWER_EXPONENTS, known) ?? ownValue(ENERGY_EXPONENTS, known);
  if (exponent !== undefined)
    return { unit: "kW", scale: { exponent, factor: 1, divisor: 1 }, isEnergy: Object.hasOwn(ENERGY_EXPONENTS, known) };
  const price = priceUnitOf(printed);
  return price === null ? null : { unit: price, scale: AS_PRINTED, isEnergy: false };
}

/** The scale that makes the energy of an interval its mean power. */
export const meanPowerScale = ({ exponent }: UnitScale, lengthMs: number): UnitScale => ({
  exponent,
  factor: MS_PER_HOUR,
  divisor: lengthMs,
});

const BRACKETS = /[([]([^()[\]]+)[)\]]$/;
const MONEY =
  /円|€|£|\$|price|cost|価格|単価|料金|preis|kosten|(?<![A-Za-z])(JPY|EUR|GBP|USD|PLN|CHF|yen|ct)(?![A-Za-z])/i;
const PRICE = /(円|€|£|\$|JPY|EUR|GBP|USD|PLN|CHF|yen)(?:\/|[_ ]per[_ ]|[_ ])(kWh|MWh)(?![A-Za-z])/i;
/** No part of a word, of a quotient such as W/m² or g/kWh, or of w_m2. */
const POWER_OR_ENERGY =
  /(?<![A-Za-z0-9/²³]|per[_ ])((?:[千万億]|百万)?[kMG]?Wh?|ワット)(?![A-Za-z0-9/²³]|[_ ]?per|[_ ]m[2²])/gi;
/** A number or a word that multiplies a unit, energy per time, and units that are not converted. */
const UNCLEAR_UNIT =
  /(?:\d[\d.,^]*|[x×] ?\d+|thousand|million|[Tt]sd\.?|[Mm]io\.?) ?[kMG]?Wh?(?![A-Za-z])|[kMG]?Wh? ?[x×] ?\d+|[kMG]?Wh\/(?:\d* ?min|int|h|std)\w*|(?<![A-Za-z])(?:mWh?|TWh?|[MGT]?J|[kM]?VAr?h?|kvarh?|kcal|BTU|therms?|N?m[3³])(?![A-Za-z])/;

/**
 * The unit that a header names: in brackets at its end, else as a word of it, as in `Import kWh` or `load_kw`.
 *
 * @returns `null` where there is none; several units as a list with "and"
 */
export function printedUnitOf(header: string): string | null {
  const text = normaliseText(header);
  const inBrackets = BRACKETS.exec(text)?.[1] ?? null;
  if (inBrackets !== null && conversionOf(inBrackets) !== null) return inBrackets;
  if (MONEY.test(text)) return priceUnitOf(text) ?? inBrackets;
  const unclear = UNCLEAR_UNIT.exec(text)?.[0];
  if (unclear !== undefined) return unclear;
  const words = [...text.matchAll(POWER_OR_ENERGY)].map(([, word]) => word).filter((word) => isUnitWord(word, text));
  const units = [...new Set(words.map((word) => ALL_NAMES.find((name) => name.toLowerCase() === word.toLowerCase())))];
  return units.length === 0 ? inBrackets : units.join(" and ");
}

/** A single small w may be any word, unless it ends a name such as power_w. */
const isUnitWord = (word: string, text: string): boolean => word !== "w" || /[_ ]w$/.test(text);

/** Whether a printed unit is that of a power or energy that is not converted: a multiple in words, MJ, kWh/15min. */
export const isUnclearUnit = (unit: string): boolean => UNCLEAR_UNIT.test(unit);

/** "EUR/MWh" for €/MWh, eur_per_mwh and the like. */
function priceUnitOf(text: string): string | null {
  const match = PRICE.exec(text);
  if (match === null) return null;
  const [, currency, energy] = match;
  return `${CURRENCIES[currency.toLowerCase()] ?? currency.toUpperCase()}/${/^k/i.test(energy) ? "kWh" : "MWh"}`;
}

/** Whether a cell is a unit and nothing else: in brackets, or a known one. */
export function isUnitName(cell: string): boolean {
  const text = normaliseText(cell);
  return /^[([][^()[\]]*[)\]]$/.test(text) || (text !== "none" && conversionOf(text) !== null);
}

/** The known unit of such a cell; `null` for any other cell. */
export function unitOfCell(cell: string): string | null {
  const text = normaliseText(cell).replace(/^[([](.*)[)\]]$/, "$1");
  return text !== "none" && conversionOf(text) !== null ? text : null;
}
