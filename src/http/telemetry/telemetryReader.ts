import type { Duplex } from "node:stream";
import type { WebSocket } from "ws";
import type { EpochMs } from "../../base/time.ts";
import type { ApiName } from "../../endpoints/route.ts";
import { DEFAULT_SUBSCRIPTION, type MessageType, parseSubscription, type Subscription } from "./subscription.ts";

/** What may wait in memory for one reader; more is dropped. */
export const QUEUE_BYTES_MAX = 4 * 1_048_576;

/** What a policy violation is called (RFC 6455 §7.4.1). */
const POLICY_VIOLATION = 1008;

/** The status that a call with an expired token gets, among the codes that are free for applications (§7.4.2). */
export const TOKEN_EXPIRED = 4498;

/**
 * One open telemetry connection.
 *
 * What its peer does not take in waits, up to a bound. Beyond it messages are dropped, each using up its number; when
 * there is room again a `gap`, with the first of these numbers, says how many there were.
 */
export class TelemetryReader {
  readonly api: ApiName;
  readonly id: string;
  /** Of the token that it was opened with, by simulated time. */
  readonly expiresMs: EpochMs;
  subscription: Subscription = DEFAULT_SUBSCRIPTION;
  readonly #socket: WebSocket;
  readonly #queueMax: number;
  #seq = 1;
  /** Messages dropped since the last one that was sent. */
  #droppedCount = 0;
  /** The rest of the frame of a gap, with the time of the last message that was dropped. */
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

  /** Says good-bye to a peer whose token has run out; what was sent before still arrives. */
  expire(): void {
    this.#socket.close(TOKEN_EXPIRED, "token_expired");
  }

  /** @param rest  the frame without its number, which is the same for many readers: see `frameTail` */
  send(rest: string, at: string): void {
    this.#sendGap();
    if (this.#droppedCount > 0 || this.#isFull) {
      this.#droppedCount++;
      this.#gapStart = at;
      return;
    }
    this.#socket.send(`{"seq":${this.#seq++}${rest}`);
  }

  /** The numbers begin again (docs/model/sandbox.md#credentials); who waits behind a gap hears of it first. */
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

/** A frame behind its number: made once, sent to many. @param data  as JSON text */
export const frameTail = (type: MessageType | "hello" | "gap", at: string, data: string): string =>
  `,"type":"${type}","at":"${at}","data":${data}}`;
