import { roundTo } from "../../../base/rounding.ts";
import { MS_PER_DAY, MS_PER_HOUR, MS_PER_MINUTE } from "../../../base/time.ts";
import { html, type Markup } from "./markup.ts";

const MINUS = "\u2212";
/** Keeps a number and its unit on one line. */
const NBSP = "\u00a0";

/** A number as people read it: fixed decimals, commas between thousands, a true minus sign, never −0. */
export function formatFixed(value: number, decimals: number): string {
  const rounded = roundTo(value, decimals);
  const [whole, fraction] = Math.abs(rounded).toFixed(decimals).split(".");
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ",");
  return `${rounded < 0 ? MINUS : ""}${grouped}${fraction === undefined ? "" : `.${fraction}`}`;
}

export const formatKw = (kw: number): string => `${formatFixed(kw, 1)}${NBSP}kW`;
export const formatKwh = (kwh: number): string => `${formatFixed(kwh, 1)}${NBSP}kWh`;
export const formatPct = (pct: number): string => `${formatFixed(pct, 1)}${NBSP}%`;

/** A length of time in its two largest units: `3 h`, `1 h 30 min`, `45 s`, `2 d 4 h`. */
export function formatDuration(durationMs: number): string {
  const seconds = Math.round(durationMs / 1000);
  if (seconds < 60) return `${seconds}${NBSP}s`;
  const units: readonly [number, string][] = [
    [MS_PER_DAY / 1000, "d"],
    [MS_PER_HOUR / 1000, "h"],
    [MS_PER_MINUTE / 1000, "min"],
    [1, "s"],
  ];
  // A day is spoken of as 24 hours; days only where there are at least two.
  const first = units.findIndex(([size, name]) => (name === "d" ? 2 * size : size) <= seconds);
  const [size, name] = units[first];
  const large = Math.floor(seconds / size);
  const next = units[first + 1];
  const small = next === undefined ? 0 : Math.floor((seconds - large * size) / next[0]);
  return `${large}${NBSP}${name}${small === 0 ? "" : ` ${small}${NBSP}${next[1]}`}`;
}

/** `one site`, `6 sites`: a count with its noun. */
export const formatCount = (count: number, noun: string, plural = `${noun}s`): string =>
  `${formatFixed(count, 0)}${NBSP}${count === 1 ? noun : plural}`;

/** `a, b and c`. */
export function formatList(words: readonly string[]): string {
  if (words.length < 2) return words.join("");
  return `${words.slice(0, -1).join(", ")} and ${words[words.length - 1]}`;
}

/** A number in a page, with the exact value (three decimals) beside the printed one; a dash where it does not apply. */
export function numberCell(value: number | null, decimals: number): Markup {
  if (value === null || !Number.isFinite(value)) return html`<span class="na" title="not applicable">–</span>`;
  return html`<data value="${roundTo(value, 3)}">${formatFixed(value, decimals)}</data>`;
}
