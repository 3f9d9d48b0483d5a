import type { Duplex } from "node:stream";
import type { WebSocket } from "ws";
import type { EpochMs } from "../../base/time.ts";
import type { ApiName } from "../../endpoints/route.ts";
import { EVERYTHING, type MessageType, readSubscription, type Subscription } from "./subscription.ts";

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
export class Reader {
  readonly api: ApiName;
  readonly id: string;
  /** Of the token that it was opened with, by simulated time. */
  readonly expiresMs: EpochMs;
  subscription: Subscription = EVERYTHING;
  readonly #socket: WebSocket;
  readonly #queueMax: number;
  #seq = 1;
  /** Messages dropped since the last one that was sent. */
  #dropped = 0;
  /** The rest of the frame of a gap, with the time of the last message that was dropped. */
  #gapAt = "";

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
    socket.on("message", (data, isBinary) => this.#take(isBinary ? "" : String(data)));
    stream.on("drain", () => this.#tellGap());
  }

  wants(type: MessageType): boolean {
    return this.subscription.types.has(type);
  }

  /** Says good-bye to a peer whose token has run out; what was sent before still arrives. */
  expire(): void {
    this.#socket.close(TOKEN_EXPIRED, "token_expired");
  }

  /** @param rest  the frame without its number, which is the same for many readers: see `frameRest` */
  send(rest: string, at: string): void {
    this.#tellGap();
    if (this.#dropped > 0 || this.#isFull) {
      this.#dropped++;
      this.#gapAt = at;
      return;
    }
    this.#socket.send(`{"seq":${this.#seq++}${rest}`);
  }

  /** The numbers begin again (decisions.md 161); who waits behind a gap hears of it first. */
  hello(rest: string, at: string): void {
    this.#tellGap();
    if (this.#dropped === 0) this.#seq = 1;
    this.send(rest, at);
  }

  #tellGap(): void {
    if (this.#dropped === 0 || this.#isFull) return;
    const data = { dropped: this.#dropped, next_seq: this.#seq + this.#dropped };
    this.#socket.send(`{"seq":${this.#seq}${frameRest("gap", this.#gapAt, JSON.stringify(data))}`);
    this.#seq = data.next_seq;
    this.#dropped = 0;
  }

  get #isFull(): boolean {
    return this.#socket.bufferedAmount > this.#queueMax;
  }

  #take(text: string): void {
    const found = readSubscription(text, this.subscription);
    if (typeof found === "string") this.#socket.close(POLICY_VIOLATION, found);
    else this.subscription = found;
  }
}

/** A frame behind its number: made once, sent to many. @param data  as JSON text */
export const frameRest = (type: MessageType | "hello" | "gap", at: string, data: string): string =>
  `,"type":"${type}","at":"${at}","data":${data}}`;
