import type { Duplex } from "node:stream";
import { LoopTurns } from "./loopTurns.ts";
import { TurnQueue } from "./turnQueue.ts";

/** Bytes of a connection that are handled at once: at most 700 chunks of one byte, or 200 requests. */
const PIECE_BYTES = 4_096;
/** Bytes of a request of a monitor. */
const PROBE_BYTES = 1_024;

/**
 * Passes the input of connections to the parsers of HTTP and WebSocket in pieces, in turns of the event loop. One read
 * has up to 64 KiB, which can contain ten thousand chunks, requests or frames, and many connections may have input at
 * once (docs/model/sandbox.md#event-loop).
 */
export class InputTurns {
  /** Turns of probes alone: requests of monitors, which do not wait for other clients. */
  readonly probeTurns = new LoopTurns();
  readonly #turns: LoopTurns;
  readonly #queue: TurnQueue<ConnectionInput>;
  /** The beginnings of probes. */
  readonly #probes: readonly string[];

  constructor(turns: LoopTurns, probePaths: Iterable<string>) {
    this.#turns = turns;
    this.#queue = new TurnQueue(turns, (input) => input.handlePiece());
    this.#probes = Array.from(probePaths, (path) => `GET ${path} HTTP/1.1\r\n`);
  }

  /**
   * Places itself between a stream and its only listener of data.
   *
   * @param isFull  whether the receiver must process earlier pieces before the next; absent: never
   */
  intercept(stream: Duplex, isFull = (): boolean => false): ConnectionInput {
    return new ConnectionInput(stream, { isFull, mayHandle: (piece) => this.#mayHandle(piece), queue: this.#queue });
  }

  #mayHandle(piece: Buffer): boolean {
    if (piece.length <= PIECE_BYTES && !this.#turns.isUsedUp) return true;
    return this.#isProbe(piece) && !this.probeTurns.isUsedUp;
  }

  #isProbe(piece: Buffer): boolean {
    return (
      piece.length <= PROBE_BYTES && this.#probes.some((text) => piece.toString("latin1", 0, text.length) === text)
    );
  }
}

interface InputRules {
  readonly isFull: () => boolean;
  /** Whether a piece need not wait. */
  readonly mayHandle: (piece: Buffer) => boolean;
  readonly queue: { add(input: ConnectionInput): void };
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
    if (this.#drops) return;
    this.#isHandling = true;
    stream.read(Math.min(PIECE_BYTES, stream.readableLength));
    this.#isHandling = false;
    if (this.#isClosed || stream.isPaused()) return;
    if (this.#rules.isFull()) this.#hold();
    else if (stream.readableLength > 0) this.#wait();
  }

  /** Whether input is dropped, because no answer can be sent any more. */
  get #drops(): boolean {
    return this.#isClosed || this.#stream.writableEnded;
  }

  #take(data: Buffer): void {
    if (this.#drops) return;
    if (this.#isHandling) return this.#receive.call(this.#stream, data);
    if (this.#isInQueue || this.#isHeld || !this.#rules.mayHandle(data)) {
      this.#stream.pause();
      this.#stream.unshift(data);
      if (!this.#isHeld) this.#wait();
      return;
    }
    this.#receive.call(this.#stream, data);
    if (!this.#isClosed && !this.#stream.isPaused() && this.#rules.isFull()) this.#hold();
  }

  #wait(): void {
    this.#stream.pause();
    this.#isInQueue = true;
    this.#rules.queue.add(this);
  }

  #hold(): void {
    this.#stream.pause();
    this.#isHeld = true;
  }
}
