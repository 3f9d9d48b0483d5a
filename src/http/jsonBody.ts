import type { FastifyInstance } from "fastify";
import { encodingFaultText, findEncodingFault } from "../base/decodeUtf8.ts";
import { type JsonLimits, scanJson } from "./jsonScan.ts";

/** Maximum bytes of a body; a hundred baselines take 10 kB. */
export const BODY_BYTES_MAX = 1_048_576;

/**
 * Limits within which a body is parsed and checked in milliseconds (docs/model/apis.md#body-limits). The deepest of the three
 * APIs has four levels; baselines of the 16,000 members that fit into a body have 32,000 keys.
 */
const LIMITS: JsonLimits = { levels: 32, keys: 1_000, values: 40_000 };

const LIMIT_TEXTS: Readonly<Record<keyof JsonLimits, string>> = {
  levels: `The body nests deeper than ${LIMITS.levels} levels`,
  keys: `The body has an object of more than ${LIMITS.keys} keys`,
  values: `The body has more than ${LIMITS.values} keys and list items`,
};

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
 * Excessive nesting and excessive numbers of keys and values are refused before the body is parsed. Keys that would modify prototypes are refused, not
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
    const { exceeds, keyCount } = scanJson(bytes as Buffer, LIMITS);
    if (exceeds !== null) return done(new BodyError(LIMIT_TEXTS[exceeds]), undefined);
    parse(request, json, (error, body) => {
      if (error !== null) return done(new BodyError(parseErrorText(json)), undefined);
      if (MAY_OVERFLOW.test(json) && hasInfinity(body))
        return done(new BodyError("The body holds a number beyond 1.8e308, which no field takes"), undefined);
      if (keyCount !== countKeys(body)) return done(new BodyError("The body has a key twice in one object"), undefined);
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
