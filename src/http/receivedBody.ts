import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { Readable } from "node:stream";
import type { FastifyInstance } from "fastify";

/** Maximum bytes of a body; a hundred baselines take 10 kB. */
export const BODY_BYTES_MAX = 1_048_576;

/**
 * Maximum chunks of a body (`Transfer-Encoding: chunked`): each takes the parser a microsecond or two. A client that
 * writes JSON token by token, such as Python's `iterencode`, sends about four chunks for a key with its value.
 */
export const CHUNKS_MAX = 65_536;

/** Initial size of the buffer for a body of unknown length. */
const FIRST_BYTES = 4_096;

/**
 * Receives the bodies of a server's requests from their first byte, also while a request waits for its turn, and gives each to the
 * body parsers as one piece (docs/model/sandbox.md#received-bodies).
 */
export function receiveBodies(server: FastifyInstance, events: BodyEvents): void {
  const bodies = new WeakMap<IncomingMessage, ReceivedBody>();
  server.addHook("onRequest", ({ raw }, reply, done) => {
    if (hasBody(raw)) {
      const body = new ReceivedBody(raw, events);
      bodies.set(raw, body);
      reply.raw.once("close", () => body.destroy());
    }
    done();
  });
  server.addHook("preParsing", ({ raw }, _reply, payload, done) => done(null, bodies.get(raw) ?? payload));
}

interface BodyEvents {
  /** A chunk has arrived, or a part of a body without chunks. */
  readonly onChunk: () => void;
  /** The buffer of a body grows. */
  readonly onGrowth: (socket: Socket, bytes: number) => void;
  /** A body has more chunks than are allowed. */
  readonly onTooManyChunks: (socket: Socket) => void;
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers["content-length"] !== undefined || headers["transfer-encoding"] !== undefined;

/**
 * A body as a stream of one piece. All chunks are copied into one buffer that grows: a body may have a million chunks
 * of one byte, and the HTTP parser creates an object for each.
 */
class ReceivedBody extends Readable {
  readonly #socket: Socket;
  readonly #events: BodyEvents;
  /** Further bytes are not expected. */
  readonly #expectedBytes: number;
  #bytes: Buffer = Buffer.alloc(0);
  #length = 0;
  #chunks = 0;
  #isOver = false;

  constructor(request: IncomingMessage, events: BodyEvents) {
    super();
    this.#socket = request.socket;
    this.#events = events;
    const announced = Number(request.headers["content-length"]);
    this.#expectedBytes = announced <= BODY_BYTES_MAX ? announced : BODY_BYTES_MAX;
    // A request may be refused before its body is parsed.
    this.on("error", () => {});
    request.on("data", (piece: Buffer) => this.#append(piece));
    // Reading begins at once: otherwise the chunks that the parser delivers before the next tick would be stored one by
    // one.
    request.read(0);
    request.once("end", () => this.#end());
    request.once("error", (error) => this.destroy(error));
  }

  override _read(): void {}

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#isOver = true;
    this.#bytes = Buffer.alloc(0);
    done(error);
  }

  #append(piece: Buffer): void {
    this.#events.onChunk();
    // Chunks of a body that is no longer read count too.
    if (++this.#chunks === CHUNKS_MAX + 1) this.#events.onTooManyChunks(this.#socket);
    if (this.#isOver) return;
    const length = this.#length + piece.length;
    if (length > this.#bytes.length) this.#growTo(length);
    piece.copy(this.#bytes, this.#length);
    this.#length = length;
    // The parser refuses a longer body.
    if (length > BODY_BYTES_MAX) this.#end();
  }

  #growTo(length: number): void {
    const wanted = Math.max(FIRST_BYTES, 2 * this.#bytes.length);
    const bytes = Buffer.allocUnsafe(Math.max(length, Math.min(wanted, this.#expectedBytes)));
    this.#bytes.copy(bytes, 0, 0, this.#length);
    this.#events.onGrowth(this.#socket, bytes.length - this.#bytes.length);
    this.#bytes = bytes;
  }

  #end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.push(this.#bytes.subarray(0, this.#length));
    this.push(null);
  }
}
