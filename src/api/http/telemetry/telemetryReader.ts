import { randomBytes } from "node:crypto";
import type { Duplex } from "node:stream";
import type { WebSocket } from "ws";
import type { EpochMs } from "../../../base/time.ts";
import type { ApiName } from "../../endpoints/route.ts";
import { FrameLog, type LogEntry } from "./frameLog.ts";
import { DEFAULT_SUBSCRIPTION, type MessageType, parseSubscription, type Subscription } from "./subscription.ts";
import { buildFrame, type SharedFrame, type TelemetryBudget } from "./telemetryBudget.ts";

/** Maximum bytes that wait for one reader; further messages are dropped. */
export const QUEUE_BYTES_MAX = 4 * 1_048_576;

/** Sent messages kept for a resumption of one reader: those that a broken connection may have lost. */
const SENT_MAX = { entries: 256, bytes: 1_048_576 } as const;

/** Code and reason with which the server closes a telemetry connection. */
interface CloseReason {
  readonly code: number;
  readonly reason: string;
}

/** Codes of RFC 6455 §7.4.1, and of the range for applications (§7.4.2) after an HTTP status. */
export const CLOSE_REASONS = {
  serverEnds: { code: 1001, reason: "the server ends" },
  tooSlow: { code: 1013, reason: "reader_too_slow" },
  tooMany: { code: 1013, reason: "too_many_readers" },
  tokenRevoked: { code: 4401, reason: "token_revoked" },
  resumedElsewhere: { code: 4409, reason: "resumed_elsewhere" },
  tokenExpired: { code: 4498, reason: "token_expired" },
} as const satisfies Readonly<Record<string, CloseReason>>;

/** Close code after an invalid subscription; the reason describes the error. */
export const POLICY_VIOLATION = 1008;

/** The connection of a reader, and the simulated time at which its token expires. */
export interface ReaderConnection {
  readonly socket: WebSocket;
  readonly stream: Duplex;
  readonly expiresMs: EpochMs;
}

/** What all readers of a server share. */
interface ReaderLimits {
  readonly budget: TelemetryBudget;
  readonly queueBytesMax: number;
}

/** A new name of a session, unique over restarts of the server. */
const newSession = (): string => randomBytes(12).toString("hex");

/**
 * One reader of telemetry: its subscription, its numbers and its messages. It outlives its connection for a while, so
 * that a client can resume (docs/model/sandbox.md#telemetry-resumption).
 *
 * Messages wait up to a limit. Beyond it they are dropped; each dropped message uses a sequence number. When there is
 * capacity again, a `gap` message states the number of dropped messages and the first sequence number.
 */
export class TelemetryReader {
  readonly api: ApiName;
  readonly id: string;
  /** Name under which a client resumes; a hello begins a new one. */
  session = newSession();
  subscription: Subscription = DEFAULT_SUBSCRIPTION;
  private readonly limits: ReaderLimits;
  private readonly log: FrameLog;
  private connection: ReaderConnection | null = null;
  /** Bytes in the queue of the socket, as counted in the budget. */
  private socketBytes = 0;
  private seq = 1;
  /** Messages dropped since the last one queued. */
  private droppedCount = 0;
  /** Time of the last dropped message. */
  private droppedAt = "";

  constructor({ api, id }: { readonly api: ApiName; readonly id: string }, limits: ReaderLimits) {
    this.api = api;
    this.id = id;
    this.limits = limits;
    this.log = new FrameLog(limits.budget);
  }

  get isConnected(): boolean {
    return this.connection !== null;
  }

  /** Expiry of the connection's token, in simulated time; never without a connection. */
  get expiresMs(): EpochMs {
    return this.connection?.expiresMs ?? Number.POSITIVE_INFINITY;
  }

  /** Bytes that wait for this reader. */
  get waitingBytes(): number {
    return this.log.waitingBytes + this.socketBytes;
  }

  isSubscribedTo(type: MessageType): boolean {
    return this.subscription.types.has(type);
  }

  connect(connection: ReaderConnection): void {
    const { socket, stream } = connection;
    this.connection = connection;
    socket.on("message", (data, isBinary) => this.receive(socket, isBinary ? "" : String(data)));
    stream.on("drain", () => {
      if (this.connection === connection) this.flush();
    });
  }

  /** Ends the connection, if it is still this one. @returns whether it was */
  disconnect(socket: WebSocket): boolean {
    if (this.connection?.socket !== socket) return false;
    this.connection = null;
    this.countSocketBytes(0);
    return true;
  }

  /** Closes the connection. Messages sent before still arrive. */
  close({ code, reason }: CloseReason): void {
    const { socket } = this.connection ?? {};
    if (socket === undefined) return;
    this.flush();
    this.disconnect(socket);
    socket.close(code, reason);
  }

  /** Ends the connection as a broken network does. */
  cut(): void {
    this.connection?.stream.destroy();
  }

  send(frame: SharedFrame): void {
    this.queueGap();
    if (this.droppedCount > 0 || this.isFull) {
      this.droppedCount++;
      this.droppedAt = frame.at;
      return;
    }
    this.push(frame, "");
    this.flush();
  }

  /** Begins a new session with number 1 (docs/model/sandbox.md#telemetry-seq). A hello is never dropped. */
  sendHello(frame: SharedFrame): void {
    if (this.droppedCount > 0) this.pushGap(this.droppedCount, this.droppedAt);
    this.seq = 1;
    this.session = newSession();
    this.push(frame, this.session);
    this.flush();
  }

  /**
   * Sends the messages after a number again, over a new connection; a `gap` stands for those no longer kept.
   *
   * @param at  simulated time of that gap
   * @returns false, without an effect, if that number has not been given
   */
  resume(connection: ReaderConnection, lastSeq: number, at: string): boolean {
    if (lastSeq >= this.seq) return false;
    this.close(CLOSE_REASONS.resumedElsewhere);
    this.connect(connection);
    const { reachedSeq, nextSeq: keptSeq } = this.log.rewindTo(lastSeq);
    const nextSeq = keptSeq ?? this.seq;
    const missing = nextSeq - reachedSeq - 1;
    if (missing > 0) this.write({ seq: reachedSeq + 1, session: "", frame: gapFrame(missing, nextSeq, at) });
    this.flush();
    return true;
  }

  /** Writes what waits, as far as the connection accepts it. */
  flush(): void {
    while (this.connection !== null && !this.connection.stream.writableNeedDrain) {
      const entry = this.log.take();
      if (entry !== undefined) this.write(entry);
      else if (this.droppedCount > 0) this.queueGap();
      else break;
    }
    this.log.trimSent(SENT_MAX);
    this.countSocketBytes(this.connection?.socket.bufferedAmount ?? 0);
  }

  /** Drops the messages that are kept only for a resumption. */
  dropSent(): void {
    this.log.trimSent({ entries: 0, bytes: 0 });
  }

  /** Drops all messages. */
  clear(): void {
    this.log.clear();
  }

  private get isFull(): boolean {
    return this.log.waitingBytes > this.limits.queueBytesMax;
  }

  /** Queues the gap message of dropped messages when there is capacity. */
  private queueGap(): void {
    if (this.droppedCount > 0 && !this.isFull) this.pushGap(this.droppedCount, this.droppedAt);
  }

  private push(frame: SharedFrame, session: string): void {
    this.log.push({ seq: this.seq, lastSeq: this.seq, session, frame });
    this.seq++;
  }

  private pushGap(dropped: number, at: string): void {
    const nextSeq = this.seq + dropped;
    const frame = gapFrame(dropped, nextSeq, at);
    this.log.push({ seq: this.seq, lastSeq: nextSeq - 1, session: "", frame });
    this.seq = nextSeq;
    this.droppedCount = 0;
  }

  private write({ seq, session, frame }: Omit<LogEntry, "lastSeq">): void {
    const head = session === "" ? `{"seq":${seq}` : `{"seq":${seq},"session":"${session}"`;
    this.connection?.socket.send(Buffer.concat([Buffer.from(head), frame.bytes]), { binary: false });
  }

  private countSocketBytes(bytes: number): void {
    this.limits.budget.usedBytes += bytes - this.socketBytes;
    this.socketBytes = bytes;
  }

  private receive(socket: WebSocket, text: string): void {
    if (this.connection?.socket !== socket) return;
    const found = parseSubscription(text, this.subscription);
    if (typeof found === "string") socket.close(POLICY_VIOLATION, found);
    else this.subscription = found;
  }
}

const gapFrame = (dropped: number, nextSeq: number, at: string): SharedFrame =>
  buildFrame("gap", at, JSON.stringify({ dropped, next_seq: nextSeq }));
