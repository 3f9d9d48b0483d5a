import { whyNotAnInstant } from "../../series/csv/parseInstant.ts";
import { listed } from "./inputError.ts";
import { nearest } from "./nearest.ts";
import { choicesOf, flattened, isMapping, ownMember, patternMember, type Schema } from "./schemaShape.ts";
import type { SourceNode } from "./sourceNode.ts";

/** The same with what the text there may have meant. */
export function describedFor(schema: Schema, node: SourceNode): string {
  if (node.kind !== "scalar" || typeof node.value !== "string") return described(schema);
  if (schema.format === "date-time") return whyNotAnInstant(node.value);
  const choices = choicesOf(schema);
  return choices !== null && schema.title === undefined ? choiceText(choices, node.value) : described(schema);
}

/** What a schema takes, in words. */
export function described(schema: Schema): string {
  const { title, type, format } = schema;
  if (schema.anyOf !== undefined) return [...new Set(schema.anyOf.map(described))].join(", or ");
  if (title !== undefined) return title;
  const choices = choicesOf(schema);
  if (choices !== null) return choiceText(choices, undefined);
  if (type === "number" || type === "integer") return describedNumber(schema);
  if (type === "boolean") return "true or false";
  if (type === "null") return "null";
  if (type === "array") return describedList(schema);
  if (type === "object")
    return `a mapping with ${listed(schema.required?.length ? schema.required : Object.keys(schema.properties ?? {})) || "any keys"}`;
  if (format === "date-time") return whyNotAnInstant("");
  if (format === "duration") {
    return `an ISO 8601 duration${schema.exclusiveMinimum === 0 ? " above 0" : ""} of days, hours, minutes and seconds, as in P1DT12H or PT90S`;
  }
  if (format === "signed-duration")
    return "an ISO 8601 duration of days, hours, minutes and seconds, - in front to go back";
  return schema.minLength ? "text, not empty" : "text";
}

function describedNumber({ type, minimum, maximum, exclusiveMinimum, exclusiveMaximum }: Schema): string {
  const noun = type === "integer" ? "a whole number" : "a number";
  const above = exclusiveMinimum === undefined ? "" : ` above ${exclusiveMinimum}`;
  const below = exclusiveMaximum === undefined ? "" : ` below ${exclusiveMaximum}`;
  if (minimum !== undefined && maximum !== undefined) return `${noun} from ${minimum} to ${maximum}`;
  if (minimum !== undefined) return `${noun}, at least ${minimum}${below}`;
  if (maximum !== undefined) return `${noun}${above}, at most ${maximum}`;
  return `${noun}${above}${above && below ? " and" : ""}${below}`;
}

function describedList({ minItems = 0, maxItems, items }: Schema): string {
  const of = items && !isMapping(items) && items.anyOf === undefined ? ` of: ${described(items)}` : "";
  if (maxItems !== undefined) return `a list of ${minItems} to ${maxItems} entries${of}`;
  return minItems > 0 ? `a list of at least ${minItems} ${minItems === 1 ? "entry" : "entries"}${of}` : `a list${of}`;
}

export function choiceText(choices: readonly unknown[], found: unknown): string {
  const names = [...new Set(choices.map(String))];
  const all = names.length === 1 ? names[0] : `one of ${listed(names)}`;
  const near = typeof found === "string" ? nearest(found, names) : null;
  return near === null || names.length === 1 ? all : `${near}? (${all})`;
}

/** Why a row may not have a column of this path; `null` when it may. */
export function columnRefusal(schema: Schema, path: readonly string[]): string | null {
  let candidates: Schema[] = flattened([schema]);
  for (const key of path) {
    const names = candidates.flatMap(({ properties }) => Object.keys(properties ?? {}));
    const next = candidates.flatMap((candidate) => {
      if (candidate.type === "array") return /^\d+$/.test(key) && candidate.items ? [candidate.items] : [];
      const member = candidate.properties ? ownMember(candidate.properties, key) : patternMember(candidate, key);
      return member === undefined ? [] : [member];
    });
    if (next.length === 0) return names.length === 0 ? "a shorter path" : choiceText([...new Set(names)], key);
    candidates = flattened(next);
  }
  return null;
}
