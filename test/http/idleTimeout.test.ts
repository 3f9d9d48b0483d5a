// A connection whose answer takes long is not idle: the time-out of idle connections spares it.
import { once } from "node:events";
import { request as httpRequest } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { GradeDocuments } from "../../src/drill/gradeDocuments.ts";
import { drillFileOf } from "../../src/drill/listDrills.ts";
import { LiveGrades } from "../../src/drill/liveGrades.ts";
import { readDrill } from "../../src/drill/readDrill.ts";
import type { Answer } from "../../src/endpoints/route.ts";
import { createSandboxAccess } from "../../src/http/sandbox/sandboxAccess.ts";
import { sandboxPlugin } from "../../src/http/sandbox/sandboxPlugin.ts";
import { buildServers } from "../../src/http/server.ts";
import type { Session } from "../../src/session/session.ts";
import { openTinySession } from "../session/openTinySession.ts";
import { FakeHost, fakeServers, VPP } from "./fakeHost.ts";

const TIMEOUTS = { headersMs: 10_000, requestMs: 30_000, idleMs: 150 };

interface Reply {
  readonly status: number;
  readonly text: string;
}

/** Sends a request on a connection of its own. */
function send(port: number, method: string, path: string, headers: Record<string, string> = {}): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const request = httpRequest({ host: "127.0.0.1", port, method, path, headers, agent: false }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (piece: string) => (text += piece));
      response.on("end", () => resolve({ status: response.statusCode ?? 0, text }));
    });
    request.on("error", reject);
    request.end(method === "POST" ? "{}" : undefined);
  });
}

/** Until the server has closed a connection that began now, for being idle. */
async function idleConnectionClosed(port: number): Promise<void> {
  const socket = connect(port, "127.0.0.1");
  socket.resume();
  await once(socket, "close");
}

class WaitingGrades extends LiveGrades {
  begin = (): void => {};
  requested = (): void => {};

  override async grade(): Promise<GradeDocuments> {
    const begun = new Promise<void>((resolve) => {
      this.begin = resolve;
    });
    this.requested();
    await begun;
    return { json: '{"passed":true}', debriefing: "", text: "", isPassed: true, historyLine: null };
  }
}

let close: () => Promise<unknown>;
beforeEach(() => {
  close = async () => {};
});
afterEach(() => close());

test.each([
  ["without a key", {}],
  ["with a key", { "idempotency-key": "k" }],
])("a command %s that waits for longer than a connection may be idle is answered", async (_, key) => {
  const host = new FakeHost();
  let act = (_answer: Answer): void => {};
  const acting = new Promise<void>((resolve) => {
    host.answerOf = () => {
      const answer = new Promise<Answer>((settle) => {
        act = settle;
      });
      resolve();
      return answer;
    };
  });
  const { base, auth } = fakeServers(host, { timeouts: TIMEOUTS });
  close = () => Promise.all([base.close(), auth.close()]);
  await base.listen({ port: 0, host: "127.0.0.1" });
  const { port } = base.server.address() as AddressInfo;
  const refreshed = await auth.inject({
    method: "POST",
    url: "/auth/refresh",
    headers: { authorization: "Bearer refresh-vpp" },
  });
  const headers = {
    authorization: `Bearer ${refreshed.json().access_token}`,
    "content-type": "application/json",
    ...key,
  };
  const answered = send(port, "POST", `/v1/vpp/${VPP}/control/active_power`, headers);
  await acting;
  await idleConnectionClosed(port);
  act({ status: 200, body: { done: true } });
  expect(await answered).toEqual({ status: 200, text: '{"done":true}' });
});

test("a grade that takes longer than a connection may be idle is answered", async () => {
  const drill = readDrill(drillFileOf("outage-in-an-award"));
  const grades = new WaitingGrades(drill, { place: "here" });
  const session: Session = await openTinySession({ openAtMs: drill.startMs }, drill.served);
  const access = createSandboxAccess({ signingKey: session.signingKey, sandboxToken: null, instructorToken: null });
  const { base, auth } = buildServers(session, {
    tokenKey: session.signingKey,
    rateLimits: "on",
    logLevel: "silent",
    timeouts: TIMEOUTS,
    plugins: [
      (server, _options, done) => {
        server.register(sandboxPlugin, { session, access, report: null, grades });
        done();
      },
    ],
  });
  close = () => Promise.all([base.close(), auth.close(), session.close()]);
  await base.listen({ port: 0, host: "127.0.0.1" });
  const { port } = base.server.address() as AddressInfo;
  const requested = new Promise<void>((resolve) => {
    grades.requested = resolve;
  });
  const graded = send(port, "GET", "/sandbox/grade");
  await requested;
  await idleConnectionClosed(port);
  grades.begin();
  expect(await graded).toEqual({ status: 200, text: '{"passed":true}' });
});
