import type { Socket } from "node:net";
import type { FastifyInstance } from "fastify";

/**
 * Counts requests without a completed response. Those of a closed connection do not count: Node emits no `close` for
 * a response that waited for an earlier one.
 */
export class OpenRequests {
  readonly #counts = new Map<Socket, number>();

  get count(): number {
    return [...this.#counts.values()].reduce((sum, count) => sum + count, 0);
  }

  /** To be called before the server listens. */
  watch(server: FastifyInstance): void {
    server.addHook("onRequest", ({ raw: { socket } }, { raw }, done) => {
      if (!this.#counts.has(socket)) socket.once("close", () => this.#counts.delete(socket));
      this.#counts.set(socket, (this.#counts.get(socket) ?? 0) + 1);
      // `onResponse` is not called if the client disconnects.
      raw.once("close", () => {
        const count = this.#counts.get(socket);
        if (count !== undefined) this.#counts.set(socket, count - 1);
      });
      done();
    });
  }
}
