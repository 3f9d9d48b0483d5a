import type { Duplex } from "node:stream";
import type { WebSocket } from "ws";
import type { InputTurns } from "../connectionInput.ts";

/**
 * Passes the input of a client to its WebSocket in turns of the event loop. Call it as soon as the WebSocket exists.
 */
export function readInTurns(socket: WebSocket, stream: Duplex, inputs: InputTurns): void {
  const input = inputs.intercept(stream);
  // Input after a protocol error is dropped.
  socket.once("error", () => input.close());
  // The WebSocket would read all waiting input at once when the connection ends.
  stream.prependListener("close", () => stream.read());
}
