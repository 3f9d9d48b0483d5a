// Users of a shared Redis server who may not do everything.
import { afterAll, beforeAll, expect, test } from "vitest";
import { openRedis } from "../../src/study/queue/openRedis.ts";
import { needingRedis, RedisServer } from "../study/redisServer.ts";

needingRedis.describe("a user of a Redis server", () => {
  let server: RedisServer;
  beforeAll(async () => {
    server = await RedisServer.start();
  });
  afterAll(() => server?.remove());

  const openedBy = async (...rules: readonly string[]): Promise<string> => {
    server.call("acl", "setuser", "guest", "reset", "on", ">secret", ...rules);
    try {
      const { close } = await openRedis(server.url.replace("redis://", "redis://guest:secret@"));
      close();
      return "opened";
    } catch (error) {
      return (error as Error).message;
    }
  };

  test.each<[string, readonly string[], string]>([
    ["without INFO", ["~*", "&*", "+@all", "-info"], "INFO: NOPERM .*'info'"],
    ["without EXEC", ["~*", "&*", "+@all", "-exec"], "EXEC: .*NOPERM .*'exec'"],
    ["who only reads", ["~*", "&*", "+@read", "+@connection", "+@transaction", "+info"], "HSET .*: NOPERM .*'hset'"],
    ["of other keys", ["~cache:*", "&*", "+@all"], "HSET vppsim-study:\\S+ x 1: NOPERM .*keys"],
    ["who may not use the queue's keys", ["~vppsim-study:*", "&*", "+@all"], "EVAL 1 bull:\\S+: NOPERM .*keys"],
    ["without scripts", ["~*", "&*", "+@all", "-@scripting"], "EVAL .*: NOPERM .*'eval'"],
  ])("%s is named the permission that is missing, without the password", async (_, rules, missing) => {
    const message = await openedBy(...rules);
    expect(message).toMatch(
      new RegExp(`^--redis: found redis://127\\.0\\.0\\.1:\\d+, whose user may not .*: ${missing}`),
    );
    expect(message).toContain(
      "allowed a user that may: ACL SETUSER <name> on ><password> ~vppsim-study:* ~bull:* &* +@all",
    );
    expect(message).not.toContain("secret");
  });

  test("with the rules of the message may run studies, and leaves no key", async () => {
    expect(await openedBy("~vppsim-study:*", "~bull:*", "&*", "+@all")).toBe("opened");
    expect(server.call("keys", "*").trim()).toBe("");
  });
});
