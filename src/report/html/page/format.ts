import { log10 } from "../../../base/elementary.ts";
import { roundTo } from "../../../base/rounding.ts";
import { MS_PER_DAY, MS_PER_HOUR, MS_PER_MINUTE } from "../../../base/time.ts";
import { html, type Markup } from "./markup.ts";

export const MINUS = "\u2212";
/** Between a number and its unit, to keep them on one line. */
const NBSP = "\u00a0";

/** Fixed decimals, commas between thousands, the minus sign U+2212, never −0. */
export function formatFixed(value: number, decimals: number): string {
  const rounded = roundTo(value, decimals);
  const [whole, fraction] = Math.abs(rounded).toFixed(decimals).split(".");
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ",");
  return `${rounded < 0 ? MINUS : ""}${grouped}${fraction === undefined ? "" : `.${fraction}`}`;
}

export const formatKw = (kw: number): string => `${formatFixed(kw, 1)}${NBSP}kW`;
/** Smaller amounts print as 0.0: power in kW, energy in kWh. */
export const PRINTED_MIN = 0.05;

export const formatKwh = (kwh: number): string => `${formatFixed(kwh, 1)}${NBSP}kWh`;
export const formatPct = (pct: number): string => `${formatFixed(pct, 1)}${NBSP}%`;

/** A unit for all numbers of a table or chart, so that a sum and its parts have the same decimals. */
export interface Scale {
  readonly unit: string;
  /** Number of the unit in one kWh, or of the currency. */
  readonly factor: number;
  readonly decimals: number;
}

const ENERGY_UNITS = [
  { unit: "kWh", factor: 1, belowKwh: 100_000 },
  { unit: "MWh", factor: 1e-3, belowKwh: 10_000_000 },
  { unit: "GWh", factor: 1e-6, belowKwh: Number.POSITIVE_INFINITY },
] as const;

const SIGNIFICANT_DIGITS = 4;

/** Decimals with which the largest value has four significant digits. */
const decimalsOf = (largest: number): number =>
  largest === 0 ? 0 : Math.max(0, SIGNIFICANT_DIGITS - 1 - Math.floor(log10(largest)));

/** kWh, MWh or GWh by the largest value (docs/model/report-files.md#units). */
export function energyScale(valuesKwh: Iterable<number>): Scale {
  let largest = 0;
  for (const kwh of valuesKwh) largest = Math.max(largest, Math.abs(kwh));
  const found = ENERGY_UNITS.find(({ belowKwh }) => largest < belowKwh) ?? ENERGY_UNITS[2];
  return { unit: found.unit, factor: found.factor, decimals: Math.min(3, decimalsOf(largest * found.factor)) };
}

/** A value in the unit of a scale, without the unit. */
export const formatScaled = (value: number, { factor, decimals }: Scale): string =>
  formatFixed(value * factor, decimals);

/** `95.68 GWh` */
export const formatInUnit = (value: number, scale: Scale): string =>
  `${formatScaled(value, scale)}${NBSP}${scale.unit}`;

/** `4,116 MWh`: a single energy in its own unit. */
export const formatEnergy = (kwh: number): string => formatInUnit(kwh, energyScale([kwh]));

/** A duration in its two largest units: `3 h`, `1 h 30 min`, `45 s`, `2 d 4 h`; days from two days on. */
export function formatDuration(durationMs: number): string {
  const seconds = Math.round(durationMs / 1000);
  if (seconds < 60) return `${seconds}${NBSP}s`;
  const units: readonly [number, string][] = [
    [MS_PER_DAY / 1000, "d"],
    [MS_PER_HOUR / 1000, "h"],
    [MS_PER_MINUTE / 1000, "min"],
    [1, "s"],
  ];
  const first = units.findIndex(([size, name]) => (name === "d" ? 2 * size : size) <= seconds);
  const [size, name] = units[first];
  const large = Math.floor(seconds / size);
  const next = units[first + 1];
  const small = next === undefined ? 0 : Math.floor((seconds - large * size) / next[0]);
  return `${large}${NBSP}${name}${small === 0 ? "" : ` ${small}${NBSP}${next[1]}`}`;
}

/** A count with its noun: `1 site`, `6 sites`. */
export const formatCount = (count: number, noun: string, plural = `${noun}s`): string =>
  `${formatFixed(count, 0)}${NBSP}${count === 1 ? noun : plural}`;

/** `a, b and c`. */
export function formatList(words: readonly string[]): string {
  if (words.length < 2) return words.join("");
  return `${words.slice(0, -1).join(", ")} and ${words[words.length - 1]}`;
}

/** A table cell: the printed number with its value to three decimals as `data`; a dash for `null`. */
export function numberCell(value: number | null, decimals: number): Markup {
  if (value === null || !Number.isFinite(value)) return html`<span class="na">–</span>`;
  return html`<data value="${roundTo(value, 3)}">${formatFixed(value, decimals)}</data>`;
}
