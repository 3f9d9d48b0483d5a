// Colours of the pages as CSS variables, so that one drawing serves the light page, the dark page and print.

import { CAUSES, type Cause } from "../../../accounting/settlement/causes.ts";

/** Name, light, dark. The series colours follow the colour-blind-safe palette of Okabe and Ito (2008). */
const COLOURS = [
  ["ink", "#17202b", "#e8edf3"],
  ["muted", "#5b6675", "#a2adbb"],
  ["line", "#dfe4ea", "#2c3643"],
  ["surface", "#ffffff", "#171e27"],
  ["page", "#f5f7f9", "#0f141a"],
  ["tint", "#eef2f6", "#1f2833"],
  ["accent", "#0b67a8", "#62b0ea"],
  ["good", "#0a7a5c", "#45cfa6"],
  ["bad", "#b3420a", "#ff9160"],
  ["neutral", "#8794a4", "#7d8a9a"],
  ["s1", "#0072b2", "#4aa3e0"],
  ["s2", "#d55e00", "#ff8a4c"],
  ["s3", "#009e73", "#3ccfa3"],
  ["s4", "#c0689a", "#e39cc6"],
  ["s5", "#e69f00", "#f2b84b"],
  ["s6", "#56b4e9", "#8ccbf2"],
  ["s7", "#a08c00", "#e3d26f"],
  ["s8", "#6b7280", "#9aa3af"],
  // Steps of maps and bands from none to most, and of the other direction; in the dark they turn round.
  ["h0", "#e1e5ea", "#222c38"],
  ["h1", "#c3ccd6", "#36434f"],
  ["h2", "#93a1b1", "#56687b"],
  ["h3", "#5f7084", "#8296ab"],
  ["h4", "#34435a", "#b6c4d3"],
  ["h5", "#0f1926", "#f1f5fa"],
  ["b1", "#cfe0ec", "#1f3a4d"],
  ["b2", "#8fb6d1", "#35678a"],
  ["b3", "#3f7da6", "#6fb1de"],
] as const;

/**
 * Light and dark colour of each cause of a shortfall, the same in every chart, legend and table. Chosen so that any two
 * differ for normal and red-green colour-blind eyes, and from the blue of delivered energy.
 */
const CAUSE_COLOURS: Readonly<Record<Cause, readonly [string, string]>> = {
  out_of_service: ["#a9430a", "#ff5805"],
  incompatible: ["#8c7668", "#5672dc"],
  refused: ["#591375", "#c8d4d2"],
  delivery_failed: ["#c70093", "#f65cba"],
  baseline_missing: ["#755f5a", "#7f8997"],
  direct_control: ["#9c00e0", "#a5b9f6"],
  power_limit: ["#c98700", "#f4a225"],
  energy_limit: ["#00a07b", "#29f499"],
  output_control: ["#602905", "#aa685d"],
  other_award: ["#205353", "#82a570"],
  ramp: ["#9c84bf", "#e2a7bc"],
  weather: ["#3c9fd6", "#4aecff"],
  load_deviation: ["#8b8500", "#dbdd1d"],
  no_member: ["#990b38", "#be3a81"],
};

export type ColourName = (typeof COLOURS)[number][0] | `cause-${Cause}`;

const ALL_COLOURS: readonly (readonly [ColourName, string, string])[] = [
  ...COLOURS,
  ...CAUSES.map((cause) => [causeColour(cause), ...CAUSE_COLOURS[cause]] as const),
];

/** The colour of a cause; causes are always shown in the order of CAUSES. */
export function causeColour(cause: Cause): ColourName {
  return `cause-${cause}`;
}

export const SERIES_COLOURS: readonly ColourName[] = ["s1", "s2", "s3", "s4", "s5", "s6", "s7", "s8"];

const declarations = (column: 1 | 2): string => ALL_COLOURS.map((row) => `--${row[0]}:${row[column]}`).join(";");

/** The variables for both colour schemes; print is always light. */
export const PALETTE_CSS = `:root{color-scheme:light dark;${declarations(1)}}
@media screen and (prefers-color-scheme:dark){:root{${declarations(2)}}}`;
