import { errorCodes, type FastifyInstance, type FastifyRequest } from "fastify";

/** Maximum bytes of a body (docs/model/apis.md#body-limits); a hundred baselines take 10 kB. */
export const BODY_BYTES_MAX = 1_048_576;

/** Maximum nested lists and objects of a body; the deepest of the three APIs has four. */
const LEVELS_MAX = 32;

const UNWRITABLE = `The body nests deeper than ${LEVELS_MAX} levels, or has a number beyond 1.8e308`;

/**
 * Parses bodies of content type JSON, and no others, with Fastify's parser. An empty body counts as none, because some clients
 * declare a type without sending a body.
 */
export function addJsonBodyParser(server: FastifyInstance): void {
  const parse = server.getDefaultJsonParser("error", "error");
  server.removeAllContentTypeParsers();
  server.addContentTypeParser("application/json", (request, payload, done) =>
    receive(request, payload, (failure, text = "") => {
      if (failure !== null || text === "") return done(failure);
      parse(request, text, (error, body) => {
        if (error !== null || isWritable(body, LEVELS_MAX)) done(error, body);
        else done(Object.assign(new Error(UNWRITABLE), { statusCode: 400 }));
      });
    }),
  );
}

/**
 * Receives a body in one buffer. Fastify's own parsers keep each chunk as an object until the end of the body, and a chunk may have
 * one byte: 900 bodies of 300,000 chunks then ended the process at 4 GB.
 */
function receive(
  { headers }: FastifyRequest,
  payload: FastifyRequest["raw"],
  done: (failure: Error | null, text?: string) => void,
): void {
  const refuse = (): void => done(new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE());
  if (Number(headers["content-length"]) > BODY_BYTES_MAX) return refuse();
  let bytes = Buffer.alloc(0);
  let length = 0;
  const end = (): void => done(null, bytes.toString("utf8", 0, length));
  const take = (piece: Buffer): void => {
    length += piece.length;
    if (length > bytes.length) bytes = Buffer.concat([bytes], Math.max(length, 2 * bytes.length));
    piece.copy(bytes, length - piece.length);
    if (length <= BODY_BYTES_MAX) return;
    payload.off("data", take).off("end", end).off("error", done);
    refuse();
  };
  payload.on("data", take).on("end", end).on("error", done);
}

/** Whether a journal and an export can have a value: a command that is refused is in both. */
function isWritable(value: unknown, levels: number): boolean {
  if (typeof value === "number") return Number.isFinite(value);
  if (typeof value !== "object" || value === null) return true;
  return levels > 0 && Object.values(value).every((inner) => isWritable(inner, levels - 1));
}
