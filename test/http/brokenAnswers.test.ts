import { once } from "node:events";
import { connect } from "node:net";
import { Readable } from "node:stream";
import { expect, test } from "vitest";
import { startLiveServer } from "./liveServer.ts";

test.each([
  ["before its answer begins", null],
  ["before the first piece of its answer", []],
  ["in the middle of its answer", ["[1,"]],
])("a client that closes %s is logged in one line, and not as a failure", async (_, pieces) => {
  const lines: Record<string, unknown>[] = [];
  const logStream = {
    write(line: string) {
      const entry = JSON.parse(line) as Record<string, unknown>;
      if (!String(entry.msg).startsWith("Server listening")) lines.push(entry);
    },
  };
  let answer: Readable | undefined;
  const live = await startLiveServer({
    logLevel: "info",
    logStream,
    plugins: [
      (server, _options, done) => {
        server.post("/endless", async (request, reply) => {
          answer = new Readable({ read() {} });
          if (pieces === null) await once(request.raw.socket, "close");
          for (const piece of pieces ?? []) answer.push(piece);
          return reply.send(answer);
        });
        done();
      },
    ],
  });
  const { hostname, port } = new URL(live.baseUrl);
  const socket = connect(Number(port), hostname);
  socket.write(
    "POST /endless HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}",
  );
  if (pieces === null || pieces.length === 0) await expect.poll(() => answer !== undefined).toBe(true);
  else await once(socket, "data");
  socket.destroy();
  await expect.poll(() => answer?.destroyed).toBe(true);
  await expect.poll(() => lines.length).toBe(1);
  await live.close();
  expect(lines).toMatchObject([
    {
      level: 30,
      method: "POST",
      url: "/endless",
      msg: "the connection was closed before the whole answer was sent",
    },
  ]);
  expect(lines[0]).not.toHaveProperty("err");
});
