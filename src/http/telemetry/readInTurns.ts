import type { Duplex } from "node:stream";
import type { WebSocket } from "ws";
import type { LoopTurns } from "../loopTurns.ts";

/** Bytes of a client that are handled at once; a subscription has some 150. */
const PIECE_BYTES = 4_096;

/**
 * Hands what a client sends to its WebSocket in pieces, in turns of the event loop: one read has up to 64 KiB, which can be ten
 * thousand frames, and many connections may have some at once (docs/model/sandbox.md#event-loop).
 *
 * To be called when the WebSocket has just been made. What waits when the connection ends or breaks a rule is dropped.
 */
export function readInTurns(socket: WebSocket, stream: Duplex, turns: LoopTurns): void {
  const [receive] = stream.listeners("data") as ((this: Duplex, piece: Buffer) => void)[];
  stream.off("data", receive);
  let isBroken = false;
  const takeFrom = (data: Buffer, position: number): void => {
    if (isBroken || stream.destroyed) return;
    const end = position + PIECE_BYTES;
    receive.call(stream, data.subarray(position, end));
    if (end < data.length) waitWith(data, end);
  };
  const waitWith = (data: Buffer, position: number): void => {
    stream.pause();
    turns.defer(() => {
      stream.resume();
      takeFrom(data, position);
    });
  };
  stream.on("data", (data: Buffer) => (turns.isUsedUp ? waitWith(data, 0) : takeFrom(data, 0)));
  socket.once("error", () => {
    isBroken = true;
  });
  // The WebSocket would read the rest at once.
  stream.prependListener("close", () => stream.read());
}
