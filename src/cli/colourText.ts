import { styleText } from "node:util";

type Colour = "bold" | "red" | "green" | "yellow" | "cyan";

/** Lines that match get a colour; the first rule applies. */
const RULES: readonly (readonly [RegExp, Colour])[] = [
  [/^Shortfall .*[-\u2212]\d[\d,.]* (%|kWh) \(/, "green"],
  [/^Shortfall \+/, "red"],
  [/^ {2}improved /, "green"],
  [/^ {2}worsened /, "red"],
  [/^ {2}(warning|note): /, "yellow"],
  [/^ {2}report: /, "cyan"],
  [/^[\w-]+: /, "bold"],
];

/** The text with colours if standard output is a terminal; NO_COLOR and FORCE_COLOR decide otherwise. */
export const colourOutput = (text: string): string =>
  isColoured(process.stdout.isTTY === true, process.env) ? text.split("\n").map(colourLine).join("\n") : text;

/** FORCE_COLOR has priority (0: no colour), then NO_COLOR. */
export function isColoured(isTerminal: boolean, env: Readonly<Record<string, string | undefined>>): boolean {
  const { FORCE_COLOR: force, NO_COLOR: no, TERM: terminal } = env;
  if (force !== undefined) return force !== "0" && force !== "false";
  return isTerminal && (no === undefined || no === "") && terminal !== "dumb";
}

function colourLine(line: string): string {
  const rule = RULES.find(([pattern]) => pattern.test(line));
  // isColoured has decided; Node's own check of the stream says no on build servers even in a terminal.
  return rule === undefined ? line : styleText(rule[1], line, { validateStream: false });
}
