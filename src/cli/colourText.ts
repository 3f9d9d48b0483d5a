import { styleText } from "node:util";

type Colour = "bold" | "red" | "green" | "yellow" | "cyan";

/** Colours the matches of a pattern. The first rule that matches a line applies to it. */
type ColourRule = readonly [pattern: RegExp, colour: Colour];

const REMARK_RULES: readonly ColourRule[] = [
  [/^ *warning: /, "yellow"],
  [/^ *[Nn]ote: /, "yellow"],
];

/** Results of `run`, `compare` and `study`. */
const RESULT_RULES: readonly ColourRule[] = [
  [/^Shortfall .*[-\u2212]\d[\d,.]* (%|kWh) \(.*/, "green"],
  [/^Shortfall \+.*/, "red"],
  [/^ {2}improved .*/, "green"],
  [/^ {2}worsened .*/, "red"],
  [/^ {2}(warning|note): .*/, "yellow"],
  [/^ {2}report: .*/, "cyan"],
  [/^[\p{L}\p{M}\p{N}_-]+: .*/u, "bold"],
];

export const VALIDATE_RULES: readonly ColourRule[] = [[/: valid, .*/, "green"], ...REMARK_RULES];

export const EXPLAIN_RULES: readonly ColourRule[] = [
  ...REMARK_RULES,
  [/^(Events$|Shortfall: .*|Uncovered .*|Frequency response: )/, "bold"],
  [/goes out of service.*|unreachable, link down.*|storage (empty|full);.*|[Rr]efused .*/, "red"],
  [/[-\d,.]+ kW (uncovered|more than requested).*|output limited to .*|not delivered, .*/, "yellow"],
  [/back in service.*|reachable again|covered in full|output limit lifted/, "green"],
  [/^\S+: (award|instruction) of VPP .*/, "bold"],
];

export const BASELINE_RULES: readonly ColourRule[] = [
  ...REMARK_RULES,
  [/ {2}(left out: |除外：).*/, "yellow"],
  [/ {2}(used\b|使用).*/, "green"],
  [/^(written: |出力：).*/, "cyan"],
  [/^\S.*(: baseline |：基準値 ).*|^\d{4}-\d\d-\d\d[,、].*/, "bold"],
];

/** The place of an error or remark, the number of errors, and failures without a place. */
const ERROR_RULES: readonly ColourRule[] = [
  [/^(vppsim|\d+ errors?; nothing was run$).*/, "red"],
  ...REMARK_RULES,
  [/^ *\S+:\d+:\d+:|^file not found:|^--[\w-]+:|^.*: \d+ errors$/, "bold"],
];

/** Text for standard output, with colours if it is a terminal; NO_COLOR and FORCE_COLOR decide otherwise. */
export const colourOutput = (text: string, rules: readonly ColourRule[] = RESULT_RULES): string =>
  isColoured(process.stdout, process.env) ? colourLines(text, rules) : text;

/** The same for errors and remarks on standard error. */
export const colourErrors = (text: string): string =>
  isColoured(process.stderr, process.env) ? colourLines(text, ERROR_RULES) : text;

/** FORCE_COLOR has priority (0: no colour), then NO_COLOR. */
export function isColoured(
  { isTTY }: { readonly isTTY?: boolean },
  env: Readonly<Record<string, string | undefined>>,
): boolean {
  const { FORCE_COLOR: force, NO_COLOR: no, TERM: terminal } = env;
  if (force !== undefined) return force !== "0" && force !== "false";
  return isTTY === true && (no === undefined || no === "") && terminal !== "dumb";
}

const colourLines = (text: string, rules: readonly ColourRule[]): string =>
  text
    .split("\n")
    .map((line) => colourLine(line, rules))
    .join("\n");

function colourLine(line: string, rules: readonly ColourRule[]): string {
  const rule = rules.find(([pattern]) => pattern.test(line));
  if (rule === undefined) return line;
  const [pattern, colour] = rule;
  // `isColoured` has decided already; Node's own check of the stream would refuse colours on build servers.
  return line.replace(pattern, (found) => styleText(colour, found, { validateStream: false }));
}
