import type { FastifyInstance } from "fastify";
import { encodingFaultText, findEncodingFault } from "../base/decodeUtf8.ts";

/** Maximum bytes of a body; a hundred baselines take 10 kB. */
export const BODY_BYTES_MAX = 1_048_576;
/** Maximum nesting depth of a body; the deepest of the three APIs has four. */
const DEPTH_MAX = 32;

/** A body that is not valid JSON or violates a limit; `message` gives the reason. */
export class BodyError extends Error {
  override name = "BodyError";
  readonly statusCode = 400;
}

/** A body with an unsupported content coding. */
export class ContentEncodingError extends Error {
  override name = "CodingError";
  readonly statusCode = 415;
}

/**
 * Parses bodies of content type JSON, and no others.
 *
 * Excessive nesting is refused before any recursive code runs. Keys that would modify prototypes are refused, not
 * dropped. A key that occurs twice in an object is refused, because programs differ in which value counts. An empty body counts as none, because some clients declare a type without sending a body.
 */
export function addJsonBodyParser(server: FastifyInstance): void {
  const parse = server.getDefaultJsonParser("error", "error");
  server.removeAllContentTypeParsers();
  server.addContentTypeParser("application/json", { parseAs: "buffer" }, (request, bytes, done) => {
    const fault = findEncodingFault(bytes as Buffer);
    if (fault !== null) return done(new BodyError(`The body has ${encodingFaultText(fault)}`), undefined);
    const json = (bytes as Buffer).toString("utf8");
    if (json === "") return done(null, undefined);
    if (nestsDeeperThan(json, DEPTH_MAX))
      return done(new BodyError(`The body nests deeper than ${DEPTH_MAX} levels`), undefined);
    parse(request, json, (error, body) => {
      if (error !== null) return done(new BodyError(parseErrorText(json)), undefined);
      if (MAY_OVERFLOW.test(json) && hasInfinity(body))
        return done(new BodyError("The body holds a number beyond 1.8e308, which no field takes"), undefined);
      if (countColons(json) !== countKeys(body))
        return done(new BodyError("The body has a key twice in one object"), undefined);
      done(null, body);
    });
  });
}

/** Reason for a parse error: its position, or a prototype key. */
function parseErrorText(json: string): string {
  try {
    JSON.parse(json);
    return "The body has a key that is not taken: __proto__, or constructor with prototype in it";
  } catch (error) {
    const position = /position (\d+)/.exec((error as Error).message)?.[1];
    return `The body is not valid JSON${position === undefined ? "" : `: it breaks at character ${Number(position) + 1}`}`;
  }
}

/** Only such numbers overflow to infinity, which JSON cannot represent in the journal. */
const MAY_OVERFLOW = /\d[eE]\+?\d{3,}|\d{309,}/;

function hasInfinity(value: unknown): boolean {
  if (typeof value === "number") return !Number.isFinite(value);
  return typeof value === "object" && value !== null && Object.values(value).some(hasInfinity);
}

/** Keys of all objects in a value. A text has as many colons outside strings, unless a key is repeated in an object. */
function countKeys(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  const items: unknown[] = Object.values(value);
  return items.reduce<number>((count, item) => count + countKeys(item), Array.isArray(value) ? 0 : items.length);
}

function countColons(json: string): number {
  let count = 0;
  let inText = false;
  for (let k = 0; k < json.length; k++) {
    const code = json.charCodeAt(k);
    if (inText && code === BACKSLASH) k++;
    else if (code === QUOTE) inText = !inText;
    else if (!inText && code === COLON) count++;
  }
  return count;
}

const COLON = 0x3a;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPENING = new Set([0x5b, 0x7b]);
const CLOSING = new Set([0x5d, 0x7d]);

/** Whether brackets and braces outside strings nest deeper than `levels`. */
export function nestsDeeperThan(json: string, levels: number): boolean {
  let depth = 0;
  let inText = false;
  for (let k = 0; k < json.length; k++) {
    const code = json.charCodeAt(k);
    if (inText) {
      if (code === BACKSLASH) k++;
      else if (code === QUOTE) inText = false;
    } else if (code === QUOTE) inText = true;
    else if (OPENING.has(code)) {
      if (++depth > levels) return true;
    } else if (CLOSING.has(code)) depth--;
  }
  return false;
}
