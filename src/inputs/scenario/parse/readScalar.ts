import { FIGURE_MAX } from "../../../base/schemaBuilders.ts";
import { MS_PER_DAY, MS_PER_HOUR, MS_PER_MINUTE, MS_PER_SECOND } from "../../../base/time.ts";
import { parseInstant, parseInstantText } from "../../../engine/series/csv/parseInstant.ts";
import { allowedValues, type JsonSchema, matchesPattern } from "./jsonSchema.ts";
import type { ScalarNode } from "./sourceNode.ts";

const AMOUNT_PATTERN = "(\\d+(?:\\.\\d+)?)";
const DURATION_PATTERN = new RegExp(
  `^P(?:${AMOUNT_PATTERN}W|(?:${AMOUNT_PATTERN}D)?(?:T(?=\\d)(?:${AMOUNT_PATTERN}H)?(?:${AMOUNT_PATTERN}M)?(?:${AMOUNT_PATTERN}S)?)?)$`,
);

/**
 * ISO 8601 duration of weeks, or of days, hours, minutes and seconds (`P60D`, `PT90S`, `P1DT12H`, `P2W`).
 *
 * Years and months have no fixed length and are refused. (Instants: series/csv/parseInstant.ts.)
 *
 * @returns milliseconds, rounded to whole ones, or `null`
 */
export function parseDuration(text: string): number | null {
  const match = DURATION_PATTERN.exec(text);
  if (match === null || text === "P") return null;
  const [, weeks = "0", days = "0", hours = "0", minutes = "0", seconds = "0"] = match;
  return Math.round(
    (7 * Number(weeks) + Number(days)) * MS_PER_DAY +
      Number(hours) * MS_PER_HOUR +
      Number(minutes) * MS_PER_MINUTE +
      Number(seconds) * MS_PER_SECOND,
  );
}

/** The value of a scalar by its schema; `undefined` when it does not match. */
export function readScalar(schema: JsonSchema, node: ScalarNode): unknown {
  const { type } = schema;
  const { value, isUntyped } = node;
  const choices = allowedValues(schema);
  if (choices !== null) {
    const typed = isUntyped && typeof choices[0] === "number" ? cellNumber(value as string) : value;
    return choices.includes(typed) ? typed : undefined;
  }
  if (type === "number" || type === "integer") {
    return readNumber(schema, isUntyped ? cellNumber(value as string) : value);
  }
  if (type === "boolean") {
    if (isUntyped) return value === "true" ? true : value === "false" ? false : undefined;
    return typeof value === "boolean" ? value : undefined;
  }
  if (type === "null") return value === null ? null : undefined;
  return type === "string" && typeof value === "string" ? readText(schema, value) : undefined;
}

export function readNumber(schema: JsonSchema, value: unknown): number | undefined {
  if (typeof value !== "number" || Number.isNaN(value)) return undefined;
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema;
  const fits =
    (schema.type === "integer" ? Number.isInteger(value) : Math.abs(value) <= FIGURE_MAX) &&
    (minimum === undefined || minimum <= value) &&
    (maximum === undefined || value <= maximum) &&
    (exclusiveMinimum === undefined || exclusiveMinimum < value) &&
    (exclusiveMaximum === undefined || value < exclusiveMaximum);
  return fits ? value : undefined;
}

const asciiBuffer = new Uint8Array(48);

/** Reuses one buffer, since a year of awards has many instants. */
function readInstant(text: string): number {
  if (text.length > asciiBuffer.length) return parseInstantText(text);
  for (let k = 0; k < text.length; k++) {
    const code = text.charCodeAt(k);
    if (code > 127) return Number.NaN;
    asciiBuffer[k] = code;
  }
  return parseInstant(asciiBuffer, 0, text.length);
}

function readText(schema: JsonSchema, value: string): string | number | undefined {
  const { format, pattern, minLength = 0, maxLength = Number.POSITIVE_INFINITY } = schema;
  if (format === "date-time") {
    const atMs = readInstant(value);
    return Number.isNaN(atMs) ? undefined : atMs;
  }
  if (format === "duration") {
    const ms = parseDuration(value);
    return ms === null || (schema.exclusiveMinimum !== undefined && ms <= schema.exclusiveMinimum) ? undefined : ms;
  }
  if (format === "signed-duration") {
    const ms = parseDuration(value.replace(/^-/, ""));
    return ms === null ? undefined : value.startsWith("-") ? -ms || 0 : ms;
  }
  if (value.length < minLength || maxLength < value.length) return undefined;
  return pattern === undefined || matchesPattern(pattern, value) ? value : undefined;
}

const NUMBER = /^[+-]?(\d+(?:\.\d*)?|\.\d+)([eE][+-]?\d+)?$/;
const cellNumber = (cell: string): number | undefined => (NUMBER.test(cell) ? Number(cell) : undefined);

export const splitCellItems = (node: ScalarNode): ScalarNode[] =>
  String(node.value)
    .split(/\s+/)
    .filter((item) => item !== "")
    .map((value) => ({ ...node, value }));
