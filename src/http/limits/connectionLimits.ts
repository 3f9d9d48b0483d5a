import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { FastifyInstance } from "fastify";
import type { ConnectionInput, InputTurns } from "../connectionInput.ts";
import { CHUNKS_MAX, receiveBodies } from "../receivedBody.ts";

/** Limits of all connections of a server together (docs/model/apis.md#connection-limits). */
export interface ConnectionMaxima {
  /** Connections except those of telemetry, which have their own limit. */
  readonly connections: number;
  /** Bytes of the bodies of unanswered requests. */
  readonly bodyBytes: number;
}

export const CONNECTION_MAXIMA: ConnectionMaxima = { connections: 1_000, bodyBytes: 32 * 1_048_576 };

/**
 * Unanswered requests of a connection beyond which no more are read from it. A client that sends requests without waiting for
 * answers would otherwise fill the memory.
 */
const REQUESTS_MAX = 32;

/** Requests of a connection that are not answered yet. */
interface Connection {
  readonly input: ConnectionInput;
  readonly requests: Map<IncomingMessage, ServerResponse>;
  bodyBytes: number;
}

/** Text of an answer that ends the connection. */
type RefusalText = (status: 400 | 503, details: string) => string;

/**
 * Limits the connections of a server and the memory of the bodies that they send.
 *
 * A new connection takes the place of the one that has been idle, or has not completed its request, for the longest
 * time; so unused connections exclude no client. If all connections wait for answers, the new one is refused. When
 * bodies exceed their limit, the longest incomplete one is refused.
 */
export class ConnectionLimits {
  readonly #max: ConnectionMaxima;
  readonly #inputs: InputTurns;
  readonly #refusalText: RefusalText;
  /** In order of their last event, the oldest first. */
  readonly #connections = new Map<Socket, Connection>();
  readonly #ending = new WeakSet<Socket>();
  #bodyBytes = 0;

  constructor(max: ConnectionMaxima, inputs: InputTurns, refusalText: RefusalText) {
    this.#max = max;
    this.#inputs = inputs;
    this.#refusalText = refusalText;
  }

  watch(fastify: FastifyInstance): void {
    const server = fastify.server as Server;
    server.on("connection", (socket: Socket) => this.#open(socket));
    server.prependListener("request", (request, response) => this.#begin(request, response));
    receiveBodies(fastify, {
      onChunk: () => this.#inputs.countChunk(),
      onGrowth: (socket, bytes) => this.#count(socket, bytes),
      onTooManyChunks: (socket) =>
        this.#refuseBody(socket, this.#refusalText(400, `A body has at most ${CHUNKS_MAX} chunks; write longer ones`)),
    });
    fastify.addHook("onSend", ({ raw }, reply, payload, done) => {
      if (reply.getHeader("connection") === "close") this.#end(raw.socket);
      done(null, payload);
    });
  }

  /** Requests without a complete answer; those of a closed connection do not count. */
  get openRequestCount(): number {
    let count = 0;
    for (const { requests } of this.#connections.values()) count += requests.size;
    return count;
  }

  /**
   * Whether an answer that closes the connection is on its way, so that no request that begins later is handled
   * (docs/model/apis.md#closing-answers).
   */
  isEnding(socket: Socket): boolean {
    return this.#ending.has(socket);
  }

  /** Whether a connection has one unanswered request. */
  isSequential(socket: Socket): boolean {
    return this.#connections.get(socket)?.requests.size === 1;
  }

  /**
   * Calls back when the complete requests of a connection are answered, and reads nothing more from it: an answer to what follows
   * them must not come in the place of theirs.
   */
  afterAnswers(socket: Socket, act: () => void): void {
    const connection = this.#connections.get(socket);
    connection?.input.close();
    const unanswered = [...(connection?.requests ?? [])].filter(([{ complete }]) => complete);
    const last = unanswered.at(-1)?.[1];
    if (last === undefined) act();
    else last.once("close", act);
  }

  /** Removes a connection that has become one of telemetry. */
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
      return refuse(socket, this.#refusalText(503, `All ${this.#max.connections} connections wait for answers`));
    const requests = new Map<IncomingMessage, ServerResponse>();
    const input = this.#inputs.intercept(
      socket,
      () => requests.size >= REQUESTS_MAX,
      () => requests.size === 0,
    );
    this.#connections.set(socket, { input, requests, bodyBytes: 0 });
    socket.once("close", () => this.#remove(socket));
  }

  #end(socket: Socket): void {
    this.#ending.add(socket);
    this.#connections.get(socket)?.input.close();
  }

  /** @returns whether there was one to close */
  #closeIdle(): boolean {
    for (const [socket, { requests }] of this.#connections) {
      if ([...requests.keys()].some(({ complete }) => complete)) continue;
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
    connection.requests.set(request, response);
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
      if (bodyBytes <= bytes || [...requests.keys()].every(({ complete }) => complete)) continue;
      [longest, bytes] = [socket, bodyBytes];
    }
    if (longest === null) return false;
    this.#refuseBody(longest, this.#refusalText(503, `Bodies of other requests take ${this.#max.bodyBytes} bytes`));
    return true;
  }

  #refuseBody(socket: Socket, text: string): void {
    const [response, ...others] = this.#connections.get(socket)?.requests.values() ?? [];
    this.#ending.add(socket);
    this.#remove(socket);
    // The request may be answered already, or an answer to an earlier one may be on its way.
    if (response?.headersSent === false && others.length === 0) refuse(socket, text);
    else socket.destroy();
  }
}

/** Answers and closes the connection; further input is not read. */
function refuse(socket: Socket, text: string): void {
  socket.pause();
  socket.end(text, () => socket.destroy());
}
