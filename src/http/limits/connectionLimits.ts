import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { FastifyInstance } from "fastify";
import type { ConnectionInput, InputTurns } from "../connectionInput.ts";

/** What connections may take of a server together (docs/model/apis.md#connection-limits). */
export interface ConnectionMaxima {
  /** Connections without those of telemetry, which have a limit of their own. */
  readonly connections: number;
  /** Bytes that bodies take whose requests are not answered yet. */
  readonly bodyBytes: number;
}

export const CONNECTION_MAXIMA: ConnectionMaxima = { connections: 1_000, bodyBytes: 32 * 1_048_576 };

/**
 * What a piece of a body takes beside its bytes: a body may come in pieces of one byte (`Transfer-Encoding: chunked`), each of which
 * is an object of some 200 bytes.
 */
const PIECE_BYTES = 256;

/**
 * Unanswered requests of a connection beyond which no more are read from it. A client that sends requests without waiting for
 * answers would otherwise fill the memory.
 */
const REQUESTS_MAX = 32;

/** Requests of a connection that are not answered yet. */
interface Connection {
  readonly input: ConnectionInput;
  readonly requests: Set<IncomingMessage>;
  bodyBytes: number;
}

/**
 * Limits the connections of a server and the memory of the bodies that they send.
 *
 * A new connection takes the place of the one that has been idle, or has not completed its request, for the longest time; so
 * connections that are kept open unused lock nobody out. Where all wait for answers, the new one is refused. When bodies exceed
 * their limit, the longest incomplete one is refused.
 */
export class ConnectionLimits {
  readonly #max: ConnectionMaxima;
  readonly #inputs: InputTurns;
  /** Text of a 503 answer, and the end of the connection. */
  readonly #refusalText: (details: string) => string;
  /** The one without an event for the longest time first. */
  readonly #connections = new Map<Socket, Connection>();
  #bodyBytes = 0;

  constructor(max: ConnectionMaxima, inputs: InputTurns, refusalText: (details: string) => string) {
    this.#max = max;
    this.#inputs = inputs;
    this.#refusalText = refusalText;
  }

  watch(fastify: FastifyInstance): void {
    const server = fastify.server as Server;
    server.on("connection", (socket: Socket) => this.#open(socket));
    server.prependListener("request", (request, response) => this.#begin(request, response));
    fastify.addHook("preParsing", ({ raw }, _reply, _payload, done) => {
      if (hasBody(raw)) raw.on("data", (piece: Buffer) => this.#count(raw.socket, PIECE_BYTES + piece.length));
      done();
    });
  }

  /** Gives up a connection that has become one of telemetry. */
  release(socket: Socket): void {
    this.#connections.get(socket)?.input.release();
    this.#remove(socket);
  }

  #remove(socket: Socket): void {
    this.#bodyBytes -= this.#connections.get(socket)?.bodyBytes ?? 0;
    this.#connections.delete(socket);
  }

  #open(socket: Socket): void {
    if (this.#connections.size >= this.#max.connections && !this.#closeIdle())
      return refuse(socket, this.#refusalText(`All ${this.#max.connections} connections wait for answers`));
    const requests = new Set<IncomingMessage>();
    const input = this.#inputs.intercept(socket, () => requests.size >= REQUESTS_MAX);
    this.#connections.set(socket, { input, requests, bodyBytes: 0 });
    socket.once("close", () => this.#remove(socket));
  }

  /** @returns whether there was one to close */
  #closeIdle(): boolean {
    for (const [socket, { requests }] of this.#connections) {
      if ([...requests].some(({ complete }) => complete)) continue;
      this.#remove(socket);
      socket.destroy();
      return true;
    }
    return false;
  }

  #begin(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    const connection = this.#connections.get(socket);
    if (connection === undefined) return;
    connection.requests.add(request);
    this.#moveToEnd(socket, connection);
    response.once("close", () => {
      connection.requests.delete(request);
      connection.input.proceed();
      if (this.#connections.get(socket) !== connection) return;
      this.#moveToEnd(socket, connection);
      if (connection.requests.size > 0) return;
      this.#bodyBytes -= connection.bodyBytes;
      connection.bodyBytes = 0;
    });
  }

  #moveToEnd(socket: Socket, connection: Connection): void {
    this.#connections.delete(socket);
    this.#connections.set(socket, connection);
  }

  #count(socket: Socket, bytes: number): void {
    const connection = this.#connections.get(socket);
    if (connection === undefined) return;
    connection.bodyBytes += bytes;
    this.#bodyBytes += bytes;
    while (this.#bodyBytes > this.#max.bodyBytes && this.#refuseLongestBody());
  }

  /** @returns whether there was one to refuse */
  #refuseLongestBody(): boolean {
    let longest: Socket | null = null;
    let bytes = 0;
    for (const [socket, { requests, bodyBytes }] of this.#connections) {
      if (bodyBytes <= bytes || [...requests].every(({ complete }) => complete)) continue;
      [longest, bytes] = [socket, bodyBytes];
    }
    if (longest === null) return false;
    const isOnly = this.#connections.get(longest)?.requests.size === 1;
    this.#remove(longest);
    // An answer to an earlier request of the connection may be on its way.
    if (isOnly) refuse(longest, this.#refusalText(`Bodies of other requests take ${this.#max.bodyBytes} bytes`));
    else longest.destroy();
    return true;
  }
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers["content-length"] !== undefined || headers["transfer-encoding"] !== undefined;

/** Answers and closes; what the client still sends is not read. */
function refuse(socket: Socket, text: string): void {
  socket.pause();
  socket.end(text, () => socket.destroy());
}
