import type { Duplex } from "node:stream";
import type { WebSocket } from "ws";
import type { InputTurns } from "../connectionInput.ts";

/** Hands what a client sends to its WebSocket in turns of the event loop; to be called when the WebSocket has just been made. */
export function readInTurns(socket: WebSocket, stream: Duplex, inputs: InputTurns): void {
  const input = inputs.intercept(stream);
  // What comes after a broken rule is dropped.
  socket.once("error", () => input.close());
  // The WebSocket would read at once what waits when the connection ends.
  stream.prependListener("close", () => stream.read());
}
