import type { Duplex } from "node:stream";
import { systemClock, type WallClock } from "../session/wallClock.ts";
import { LoopTurns } from "./loopTurns.ts";
import { SpacedQueue } from "./spacedQueue.ts";
import { TurnQueue } from "./turnQueue.ts";

/** Bytes of a connection that are handled at once: at most 350 chunks of one byte. */
const PIECE_BYTES = 2_048;
/** Bytes beyond which a piece of several requests ends with the request that is begun. */
const REQUESTS_BYTES = 128;
/** Ends the head of a request. */
const BLANK_LINE = "\r\n\r\n";
/** Chunks of bodies in a piece beyond which the rest of the input waits (docs/model/sandbox.md#small-chunks). */
const CHUNKS_PER_PIECE = 64;
/** Real milliseconds before each further piece of such connections together. */
const CHUNKS_PAUSE_MS = 5;
/** Real milliseconds before each further piece that is dropped (docs/model/sandbox.md#dropped-input). */
const DROP_PAUSE_MS = 1;
/** Bytes of a request of a monitor. */
const PROBE_BYTES = 1_024;

/**
 * Passes the input of connections to the parsers of HTTP and WebSocket in pieces, in turns of the event loop. One read
 * has up to 64 KiB, which can contain ten thousand chunks, requests or frames, and many connections may have input at
 * once (docs/model/sandbox.md#event-loop).
 */
export class InputTurns {
  readonly #requests: InputQueue;
  readonly #probes: InputQueue;
  readonly #waitingProbes: TurnQueue<() => void>;
  /** Of connections that send bodies in many small chunks. */
  readonly #spaced: SpacedQueue<ConnectionInput>;
  /** Of connections whose further input is dropped. */
  readonly #dropped: SpacedQueue<ConnectionInput>;
  /** The beginning of a probe. */
  readonly #probeStart: string;
  #chunkCount = 0;

  /** @param probePath  path of the requests of monitors, which wait only for each other */
  constructor(turns: LoopTurns, probePath: string, clock: WallClock = systemClock) {
    this.#requests = inputQueue(turns);
    this.#probes = inputQueue(new LoopTurns());
    this.#waitingProbes = new TurnQueue(this.#probes.turns, (work) => work());
    this.#spaced = new SpacedQueue(clock, CHUNKS_PAUSE_MS, (input) => turns.run(() => input.handlePiece()));
    this.#dropped = new SpacedQueue(clock, DROP_PAUSE_MS, (input) => input.handlePiece());
    this.#probeStart = `GET ${probePath} HTTP/1.1\r\n`;
  }

  /**
   * Places itself between a stream and its only listener of data.
   *
   * @param isFull  whether the receiver must process earlier pieces before the next; absent: never
   * @param isIdle  whether the connection has no unanswered request, so that its next one may be a probe; absent: never
   */
  intercept(stream: Duplex, isFull = (): boolean => false, isIdle = (): boolean => false): ConnectionInput {
    return new ConnectionInput(stream, {
      isFull,
      queueOf: (piece) => this.#queueOf(piece, isIdle),
      requests: this.#requests,
      chunkCount: () => this.#chunkCount,
      spaced: this.#spaced,
      dropped: this.#dropped,
    });
  }

  /** To be called for each chunk of a body, while its piece is handled. */
  countChunk(): void {
    this.#chunkCount++;
  }

  /** Answers a probe now, or in a later turn: as many in each as fit, because none takes long. */
  runProbe(work: () => void): void {
    if (this.#probes.turns.isUsedUp) this.#waitingProbes.add(work);
    else work();
  }

  #queueOf(piece: Buffer, isIdle: () => boolean): InputQueue {
    if (piece.length > PROBE_BYTES || !this.#requests.turns.isUsedUp || !isIdle()) return this.#requests;
    const start = this.#probeStart;
    return piece.toString("latin1", 0, start.length) === start ? this.#probes : this.#requests;
  }
}

/** Turns of the event loop, and the inputs that wait for them. */
interface InputQueue {
  readonly turns: LoopTurns;
  readonly waiting: TurnQueue<ConnectionInput>;
}

const inputQueue = (turns: LoopTurns): InputQueue => ({
  turns,
  waiting: new TurnQueue<ConnectionInput>(turns, (input) => input.handlePiece()),
});

interface InputRules {
  readonly isFull: () => boolean;
  readonly queueOf: (piece: Buffer) => InputQueue;
  /** The queue of what is no probe. */
  readonly requests: InputQueue;
  /** Chunks of bodies that were handled. */
  readonly chunkCount: () => number;
  /** For input in many small chunks. */
  readonly spaced: { add(input: ConnectionInput): void };
  /** For input that is dropped. */
  readonly dropped: { add(input: ConnectionInput): void };
}

/**
 * The input of one connection. Waiting input stays in the buffer of the stream, which is paused meanwhile, so that a
 * stream whose sender has ended ends after the last piece. The receiver too may pause the stream, and then resumes it.
 */
export class ConnectionInput {
  readonly #stream: Duplex;
  readonly #rules: InputRules;
  readonly #receive: (this: Duplex, piece: Buffer) => void;
  readonly #onData = (data: Buffer): void => this.#take(data);
  #isInQueue = false;
  #isHandling = false;
  /** Whether it stopped because it was full. */
  #isHeld = false;
  /** Whether its last piece had many chunks. */
  #hasManyChunks = false;
  /** Whether further input is dropped. */
  #isClosed = false;
  #isReleased = false;

  constructor(stream: Duplex, rules: InputRules) {
    this.#stream = stream;
    this.#rules = rules;
    [this.#receive] = stream.listeners("data") as ((this: Duplex, piece: Buffer) => void)[];
    stream.off("data", this.#receive);
    // Node's HTTP parser reads a socket without its events only while nothing listens to them.
    stream.on("data", this.#onData);
  }

  /** Gives the stream back, with what has not been handled yet. */
  release(): void {
    [this.#isClosed, this.#isReleased] = [true, true];
    this.#stream.off("data", this.#onData);
  }

  /** Drops what the client still sends. */
  close(): void {
    this.#isClosed = true;
    // Unread input would end the connection with a reset, which can overtake the answer.
    this.#stream.resume();
  }

  /** Continues after the receiver was full. */
  proceed(): void {
    if (!this.#isHeld || this.#rules.isFull()) return;
    this.#isHeld = false;
    this.#wait();
  }

  /** Passes the next waiting piece to the receiver. */
  handlePiece(): void {
    this.#isInQueue = false;
    const stream = this.#stream;
    if (stream.destroyed || this.#isReleased) return;
    // Before the piece, so that a pause of the receiver is seen.
    stream.resume();
    const { readableLength } = stream;
    this.#isHandling = true;
    stream.read(this.#drops ? readableLength : Math.min(PIECE_BYTES, readableLength));
    this.#isHandling = false;
    if (this.#drops || stream.isPaused()) return;
    if (this.#rules.isFull()) this.#hold();
    else if (stream.readableLength > 0) this.#wait();
  }

  /** Whether input is dropped, because no answer can be sent any more. */
  get #drops(): boolean {
    return this.#isClosed || this.#stream.writableEnded;
  }

  #take(data: Buffer): void {
    if (this.#isHandling) return this.#handleFirst(data);
    const queue = this.#rules.queueOf(data);
    if (this.#mustWait(data, queue)) {
      this.#stream.pause();
      this.#stream.unshift(data);
      if (!this.#isHeld || this.#drops) this.#wait(queue);
      return;
    }
    this.#handle(data);
    if (!this.#isClosed && !this.#stream.isPaused() && this.#rules.isFull()) this.#hold();
  }

  #mustWait(data: Buffer, { turns }: InputQueue): boolean {
    if (this.#isInQueue || this.#isHeld || this.#hasManyChunks || this.#drops) return true;
    return turns.isUsedUp || pieceLength(data) < data.length;
  }

  /** Handles the first piece of waiting data; the rest goes on waiting. */
  #handleFirst(data: Buffer): void {
    const length = this.#drops ? data.length : pieceLength(data);
    if (length < data.length) {
      // A stream that flows would pass the rest on at once.
      this.#stream.pause();
      this.#stream.unshift(data.subarray(length));
      this.#stream.resume();
    }
    this.#handle(data.subarray(0, length));
  }

  #handle(piece: Buffer): void {
    if (this.#drops) return;
    const { chunkCount } = this.#rules;
    const before = chunkCount();
    this.#receive.call(this.#stream, piece);
    this.#hasManyChunks = chunkCount() - before > CHUNKS_PER_PIECE;
  }

  #wait({ waiting } = this.#rules.requests): void {
    this.#stream.pause();
    if (this.#isInQueue) return;
    this.#isInQueue = true;
    const { spaced, dropped } = this.#rules;
    (this.#drops ? dropped : this.#hasManyChunks ? spaced : waiting).add(this);
  }

  #hold(): void {
    this.#stream.pause();
    this.#isHeld = true;
  }
}

/**
 * Length of the first piece of some data. The parser handles all requests of a piece, also those behind an answer that closes the
 * connection (docs/model/sandbox.md#input-pieces).
 */
function pieceLength(data: Buffer): number {
  if (data.length > PIECE_BYTES) return pieceLength(data.subarray(0, PIECE_BYTES));
  const end = data.indexOf(BLANK_LINE, REQUESTS_BYTES);
  const isFollowed = end >= 0 && data.includes(BLANK_LINE, end + BLANK_LINE.length);
  return isFollowed ? end + BLANK_LINE.length : data.length;
}
