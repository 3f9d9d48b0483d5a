import { expect, test } from "vitest";
import { openRedis, redactRedisUrl } from "../../src/study/node/queue/openRedis.ts";

test.each([
  ["redis://127.0.0.1:6379", "redis://127.0.0.1:6379"],
  ["redis://:secret@cache.example:6380/2", "redis://cache.example:6380"],
  ["rediss://user:secret@[::1]:6379", "rediss://[::1]:6379"],
  ["redis://user:se@secret@cache.example", "redis://cache.example"],
  ["redis://cache.example?password=secret", "redis://cache.example"],
  ["redis://:12/secret@cache.example", "the address given by --redis"],
  ["redis://user:12/secret@cache.example", "the address given by --redis"],
  ["redis://secret#x@cache.example", "the address given by --redis"],
  ["user:secret@cache.example", "the address given by --redis"],
  ["", "the address given by --redis"],
])("%s is shown without its password", (url, shown) => {
  expect(redactRedisUrl(url)).toBe(shown);
  expect(redactRedisUrl(url)).not.toContain("secret");
});

test("the password is not in the message of a server that does not answer", async () => {
  const message = await openRedis("redis://user:secret@127.0.0.1:1").then(
    () => "connected",
    (error: Error) => error.message,
  );
  expect(message).toMatch(/--redis: found redis:\/\/127\.0\.0\.1:1, which does not answer \(.*ECONNREFUSED/);
  expect(message).not.toContain("secret");
});
