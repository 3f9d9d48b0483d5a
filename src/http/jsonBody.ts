import type { FastifyInstance, FastifyRequest } from "fastify";
import { encodingFaultText, findEncodingFault } from "../base/decodeUtf8.ts";
import { type JsonLimits, JsonScan } from "./jsonScan.ts";
import type { LoopTurns } from "./loopTurns.ts";

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

/** Bytes that are scanned at once: 3 to 8 ms before V8 has compiled the scan, 0.2 ms afterwards. */
const SCAN_BYTES = 65_536;

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
 * Parses bodies of content type JSON, and no others, in turns of the event loop.
 *
 * Excessive nesting and excessive numbers of keys and values are refused before the body is parsed. Keys that would modify
 * prototypes are refused, not dropped. A key that occurs twice in an object is refused, because programs differ in which value
 * counts. An empty body counts as none, because some clients declare a type without sending a body.
 */
export function addJsonBodyParser(server: FastifyInstance, turns: LoopTurns): void {
  const parse = server.getDefaultJsonParser("error", "error");
  server.removeAllContentTypeParsers();
  // A request that waited for its body is in the old generation of the heap. Until it is collected there, it would keep
  // the objects of its body alive.
  server.addHook("onResponse", (request, _reply, done) => {
    request.body = undefined;
    done();
  });
  server.addContentTypeParser("application/json", { parseAs: "buffer" }, (request, bytes, done) =>
    turns.run(() => scanBody(request, bytes as Buffer, done)),
  );
  const scanBody = (request: FastifyRequest, bytes: Buffer, done: BodyDone): void => {
    const fault = findEncodingFault(bytes);
    if (fault !== null) return done(new BodyError(`The body has ${encodingFaultText(fault)}`));
    if (bytes.length === 0) return done(null);
    const scan = new JsonScan(LIMITS);
    scanInTurns(scan, bytes, turns, () => {
      if (scan.exceeds !== null) done(new BodyError(LIMIT_TEXTS[scan.exceeds]));
      else parseBody(request, bytes.toString("utf8"), scan.keyCount, done);
    });
  };
  const parseBody = (request: FastifyRequest, json: string, keyCount: number, done: BodyDone): void => {
    parse(request, json, (error, body) => {
      if (error !== null) return done(new BodyError(parseErrorText(json)));
      const found = { keys: 0, hasInfinity: false };
      inspect(body, found);
      if (found.hasInfinity) return done(new BodyError("The body holds a number beyond 1.8e308, which no field takes"));
      if (keyCount !== found.keys) return done(new BodyError("The body has a key twice in one object"));
      done(null, body);
    });
  };
}

type BodyDone = (error: Error | null, body?: unknown) => void;

/**
 * Scans a text in pieces, and calls `done` in a turn that is not over. V8 compiles the scan in another thread, which may
 * have to wait for a processor (docs/model/sandbox.md#event-loop).
 */
function scanInTurns(scan: JsonScan, bytes: Uint8Array, turns: LoopTurns, done: () => void): void {
  let position = 0;
  const proceed = (): void => {
    while (!turns.isOver) {
      if (position >= bytes.length || scan.exceeds !== null) return done();
      scan.add(bytes.subarray(position, position + SCAN_BYTES));
      position += SCAN_BYTES;
    }
    turns.defer(proceed);
  };
  proceed();
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

/**
 * Counts the keys of all objects in a value, and looks for numbers that overflowed to infinity, which JSON cannot represent in the
 * journal. A text has as many colons outside strings as its value has keys, unless a key is repeated in an object. *Rejected:* a
 * regular expression for long numbers, which takes quadratic time in digits.
 */
function inspect(value: unknown, found: { keys: number; hasInfinity: boolean }): void {
  if (typeof value === "number") found.hasInfinity ||= !Number.isFinite(value);
  if (typeof value !== "object" || value === null) return;
  const items: unknown[] = Array.isArray(value) ? value : Object.values(value);
  if (items !== value) found.keys += items.length;
  for (const item of items) inspect(item, found);
}
