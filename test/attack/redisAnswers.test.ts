// A Redis server that answers, but wrongly.
import { once } from "node:events";
import { type AddressInfo, createServer, type Server } from "node:net";
import { afterEach, expect, test, vi } from "vitest";
import { openRedis } from "../../src/study/queue/openRedis.ts";
import { RedisWatch } from "../../src/study/queue/redisWatch.ts";

const COMMAND_NAME = /\*\d+\r\n\$\d+\r\n([a-z]+)\r\n/gi;
const INFO = "redis_version:7.2.0\r\n";

let server: Server | null = null;
afterEach(() => server?.close());

/** Answers PING with a text, and what a client asks at its start rightly. @param onPing called for each PING */
async function startAnswering(pingAnswer: string, onPing = () => {}): Promise<string> {
  const answerOf = (command: string): string => {
    if (command === "info") return `$${INFO.length}\r\n${INFO}\r\n`;
    if (command !== "ping") return "+OK\r\n";
    onPing();
    return pingAnswer;
  };
  server = createServer((socket) => {
    socket.on("error", () => {});
    socket.on("data", (bytes) => {
      for (const [, command] of bytes.toString().matchAll(COMMAND_NAME)) socket.write(answerOf(command.toLowerCase()));
    });
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return `redis://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function watchServer(redis: ConstructorParameters<typeof RedisWatch>[0], warnings: string[] = []): RedisWatch {
  const warn = (text: string) => void warnings.push(text);
  const timings = { pollMs: 10, giveUpMs: 100 };
  return new RedisWatch(redis, { address: "redis://there", timings, consequence: "the study ends", warn });
}

test.each([
  ["an error", "-NOAUTH Authentication required.\r\n"],
  ["another text", "+OK\r\n"],
  ["a number", ":42\r\n"],
  ["nothing", "$-1\r\n"],
  ["a list", "*2\r\n$4\r\nPONG\r\n$4\r\nPONG\r\n"],
  ["no reply of the protocol", "nonsense\r\n"],
])("a server that answers with %s counts as gone", async (_, answer) => {
  const { redis, close } = await openRedis(await startAnswering(answer));
  const warnings: string[] = [];
  const watch = watchServer(redis, warnings);
  try {
    if (!watch.lost.aborted) await once(watch.lost, "abort");
    expect(String(watch.lost.reason)).toContain("redis://there has not answered for 0.1 s; the study ends");
    expect(warnings).toEqual(["the Redis server redis://there does not answer; waiting up to 0.1 s for it"]);
  } finally {
    watch.close();
    close();
  }
});

test.each([
  ["with PONG", "+PONG\r\n"],
  ["that its user may not ask", "-NOPERM this user has no permissions to run the 'ping' command\r\n"],
])("a server that answers %s is not gone", async (_, answer) => {
  let pings = 0;
  const { redis, close } = await openRedis(await startAnswering(answer, () => pings++));
  const watch = watchServer(redis);
  try {
    await vi.waitFor(() => expect(pings).toBeGreaterThan(20), { timeout: 60_000 });
    expect(watch.lost.aborted).toBe(false);
  } finally {
    watch.close();
    close();
  }
});
