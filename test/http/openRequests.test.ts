import { once } from "node:events";
import { type AddressInfo, connect } from "node:net";
import { afterEach, expect, test } from "vitest";
import type { Servers } from "../../src/api/http/server.ts";
import { FakeHost, fakeServers } from "./fakeHost.ts";

let servers: Servers;
afterEach(() => Promise.all([servers.base.close(), servers.auth.close()]));

test("requests count until they are answered or their connection is closed, also those behind an unanswered one", async () => {
  const answers: (() => void)[] = [];
  servers = fakeServers(new FakeHost(), {
    plugins: [
      (server, _options, done) => {
        server.get("/waits", () => new Promise((resolve) => answers.push(() => resolve("x"))));
        done();
      },
    ],
  });
  await servers.base.listen({ port: 0, host: "127.0.0.1" });
  const { port } = servers.base.server.address() as AddressInfo;
  const [kept, closed] = [connect(port, "127.0.0.1"), connect(port, "127.0.0.1")];
  for (const socket of [kept, closed])
    socket.resume().write("GET /waits HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(3));
  await expect.poll(() => answers.length).toBe(6);
  expect(servers.openRequestCount).toBe(6);
  closed.destroy();
  await expect.poll(() => servers.openRequestCount).toBe(3);
  for (const answer of answers) answer();
  await expect.poll(() => servers.openRequestCount).toBe(0);
  kept.end();
  await once(kept, "close");
});
