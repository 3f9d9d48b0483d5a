import type { Duplex } from "node:stream";
import type { WebSocket } from "ws";
import type { EpochMs } from "../../base/time.ts";
import type { ApiName } from "../../endpoints/route.ts";
import { DEFAULT_SUBSCRIPTION, type MessageType, parseSubscription, type Subscription } from "./subscription.ts";

/** Maximum bytes queued for one reader; further messages are dropped. */
export const QUEUE_BYTES_MAX = 4 * 1_048_576;

/** Close code of a policy violation (RFC 6455 §7.4.1). */
const POLICY_VIOLATION = 1008;

/** Close code of a revoked token, in the range for applications (§7.4.2), after the status 401. */
export const TOKEN_REVOKED = 4401;

/** Close code of an expired token, in the range for applications (§7.4.2), after the status 498. */
export const TOKEN_EXPIRED = 4498;

/**
 * One open telemetry connection.
 *
 * Unsent messages are queued up to a limit. Beyond it they are dropped, each using its sequence number. When the queue
 * has capacity again, a `gap` message states the number of dropped messages and the first sequence number.
 */
export class TelemetryReader {
  readonly api: ApiName;
  readonly id: string;
  /** Expiry of the connection's token, in simulated time. */
  readonly expiresMs: EpochMs;
  subscription: Subscription = DEFAULT_SUBSCRIPTION;
  readonly #socket: WebSocket;
  readonly #queueMax: number;
  #seq = 1;
  /** Messages dropped since the last one sent. */
  #droppedCount = 0;
  /** The frame of the pending gap message after its number, with the time of the last dropped message. */
  #gapStart = "";

  constructor(
    { api, id, expiresMs }: { readonly api: ApiName; readonly id: string; readonly expiresMs: EpochMs },
    socket: WebSocket,
    stream: Duplex,
    queueMax: number,
  ) {
    this.api = api;
    this.id = id;
    this.expiresMs = expiresMs;
    this.#socket = socket;
    this.#queueMax = queueMax;
    socket.on("message", (data, isBinary) => this.#sendText(isBinary ? "" : String(data)));
    stream.on("drain", () => this.#sendGap());
  }

  isSubscribedTo(type: MessageType): boolean {
    return this.subscription.types.has(type);
  }

  /** Closes the connection because of the expired token; messages sent before still arrive. */
  expire(): void {
    this.#socket.close(TOKEN_EXPIRED, "token_expired");
  }

  /** Closes the connection because of the revoked token. */
  revoke(): void {
    this.#socket.close(TOKEN_REVOKED, "token_revoked");
  }

  /** @param rest  the frame after its number, common to all readers: see `frameTail` */
  send(rest: string, at: string): void {
    this.#sendGap();
    if (this.#droppedCount > 0 || this.#isFull) {
      this.#droppedCount++;
      this.#gapStart = at;
      return;
    }
    this.#socket.send(`{"seq":${this.#seq++}${rest}`);
  }

  /** Restarts the sequence numbers (docs/model/sandbox.md#credentials), after sending a pending gap message. */
  sendHello(rest: string, at: string): void {
    this.#sendGap();
    if (this.#droppedCount === 0) this.#seq = 1;
    this.send(rest, at);
  }

  #sendGap(): void {
    if (this.#droppedCount === 0 || this.#isFull) return;
    const data = { dropped: this.#droppedCount, next_seq: this.#seq + this.#droppedCount };
    this.#socket.send(`{"seq":${this.#seq}${frameTail("gap", this.#gapStart, JSON.stringify(data))}`);
    this.#seq = data.next_seq;
    this.#droppedCount = 0;
  }

  get #isFull(): boolean {
    return this.#socket.bufferedAmount > this.#queueMax;
  }

  #sendText(text: string): void {
    const found = parseSubscription(text, this.subscription);
    if (typeof found === "string") this.#socket.close(POLICY_VIOLATION, found);
    else this.subscription = found;
  }
}

/** A frame after its number: serialised once for all readers. @param data  as JSON text */
export const frameTail = (type: MessageType | "hello" | "gap", at: string, data: string): string =>
  `,"type":"${type}","at":"${at}","data":${data}}`;
