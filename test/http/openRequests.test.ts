import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { connect } from "node:net";
import Fastify from "fastify";
import { afterEach, expect, test } from "vitest";
import { InputTurns } from "../../src/http/connectionInput.ts";
import { CONNECTION_MAXIMA, ConnectionLimits } from "../../src/http/limits/connectionLimits.ts";
import { LoopTurns } from "../../src/http/loopTurns.ts";

const server = Fastify({ forceCloseConnections: true });
afterEach(() => server.close());

test("requests count until they are answered or their connection is closed, also those behind an unanswered one", async () => {
  const open = new ConnectionLimits(CONNECTION_MAXIMA, new InputTurns(new LoopTurns(), "/health"), () => "");
  open.watch(server);
  const answers: (() => void)[] = [];
  server.get("/waits", () => new Promise((resolve) => answers.push(() => resolve("x"))));
  await server.listen({ port: 0, host: "127.0.0.1" });
  const { port } = server.server.address() as AddressInfo;
  const [kept, closed] = [connect(port, "127.0.0.1"), connect(port, "127.0.0.1")];
  for (const socket of [kept, closed])
    socket.resume().write("GET /waits HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(3));
  await expect.poll(() => answers.length).toBe(6);
  expect(open.openRequestCount).toBe(6);
  closed.destroy();
  await expect.poll(() => open.openRequestCount).toBe(3);
  for (const answer of answers) answer();
  await expect.poll(() => open.openRequestCount).toBe(0);
  kept.end();
  await once(kept, "close");
  expect(open.openRequestCount).toBe(0);
});
