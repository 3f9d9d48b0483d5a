import type { FastifyInstance } from "fastify";

/** Bytes of a body: a hundred baselines take 10 kB. */
export const BODY_BYTES_MAX = 1_048_576;
/** Levels of a body; the deepest of the three APIs has four. */
const DEPTH_MAX = 32;

/** A body that is no JSON as the APIs take it; `message` says why. */
export class BodyError extends Error {
  override name = "BodyError";
  readonly statusCode = 400;
}

/** A body in a coding that nobody here undoes. */
export class ContentEncodingError extends Error {
  override name = "CodingError";
  readonly statusCode = 415;
}

/**
 * Reads bodies of content type JSON, and no others.
 *
 * Too deep a nesting is refused before anything recursive sees it; keys that would reach into prototypes are refused, not
 * dropped. An empty body is none: some clients declare a type without sending anything.
 */
export function addJsonBodyParser(server: FastifyInstance): void {
  const parse = server.getDefaultJsonParser("error", "error");
  server.removeAllContentTypeParsers();
  server.addContentTypeParser("application/json", { parseAs: "string" }, (request, text, done) => {
    const json = text as string;
    if (json === "") return done(null, undefined);
    if (nestsDeeperThan(json, DEPTH_MAX))
      return done(new BodyError(`The body nests deeper than ${DEPTH_MAX} levels`), undefined);
    parse(request, json, (error, body) => {
      if (error !== null) return done(new BodyError(parseErrorText(json)), undefined);
      if (MAY_OVERFLOW.test(json) && hasInfinity(body))
        return done(new BodyError("The body holds a number beyond 1.8e308, which no field takes"), undefined);
      done(null, body);
    });
  });
}

/** Why a text was refused: where it breaks, or that it reaches for prototypes. */
function parseErrorText(json: string): string {
  try {
    JSON.parse(json);
    return "The body has a key that is not taken: __proto__, or constructor with prototype in it";
  } catch (error) {
    const position = /position (\d+)/.exec((error as Error).message)?.[1];
    return `The body is not valid JSON${position === undefined ? "" : `: it breaks at character ${Number(position) + 1}`}`;
  }
}

/** Only such numbers can become infinite, which a journal could not give back. */
const MAY_OVERFLOW = /\d[eE]\+?\d{3,}|\d{309,}/;

function hasInfinity(value: unknown): boolean {
  if (typeof value === "number") return !Number.isFinite(value);
  return typeof value === "object" && value !== null && Object.values(value).some(hasInfinity);
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPENING = new Set([0x5b, 0x7b]);
const CLOSING = new Set([0x5d, 0x7d]);

/** Whether brackets and braces outside texts are open more than so many at once. */
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
