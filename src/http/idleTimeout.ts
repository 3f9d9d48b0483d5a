import type { Socket } from "node:net";

/** Answers that a connection waits for, and its time-out without them. */
interface Suspension {
  awaited: number;
  readonly idleMs: number;
}

const suspensions = new WeakMap<Socket, Suspension>();

/**
 * Turns off the idle time-out of a connection whose answer may take longer, such as that of a clock advance or a grade
 * (docs/model/apis.md#connection-limits).
 *
 * @returns turns it on again; call it once, before the answer is sent: a client that does not read is idle
 */
export function suspendIdleTimeout(socket: Socket): () => void {
  const suspension = suspensions.get(socket) ?? { awaited: 0, idleMs: socket.timeout ?? 0 };
  if (suspension.idleMs === 0) return () => {};
  suspensions.set(socket, suspension);
  suspension.awaited++;
  // not simulated: the idle time-out of a connection
  socket.setTimeout(0);
  return () => {
    if (--suspension.awaited > 0) return;
    suspensions.delete(socket);
    // not simulated: see above
    socket.setTimeout(suspension.idleMs);
  };
}

/** The same until a promise settles. */
export async function withoutIdleTimeout<T>(socket: Socket, awaited: Promise<T>): Promise<T> {
  const restoreTimeout = suspendIdleTimeout(socket);
  try {
    return await awaited;
  } finally {
    restoreTimeout();
  }
}
