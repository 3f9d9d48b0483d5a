import { expect, test } from "vitest";
import { runs, seedOr, seedsFrom } from "../depth.ts";
import { sessionAndExportReports } from "../session/sessionAndExportReports.ts";
import { CallGenerator } from "./fuzz/callGenerator.ts";
import { checkShares, checkWorld, type ScheduleEntry } from "./fuzz/checkInvariants.ts";
import { type FuzzRequest, FuzzServer } from "./fuzz/fuzzServer.ts";
import { RequestGenerator } from "./fuzz/requestGenerator.ts";
import { SeededChooser } from "./fuzz/seededChooser.ts";

const REQUESTS = runs(10_000, 300);
const PER_SESSION = Math.min(REQUESTS, 2_500);
const REQUESTS_BETWEEN_CHECKS = 250;

async function signIn(server: FuzzServer): Promise<Map<string, string>> {
  const tokens = new Map<string, string>();
  for (const { name, refreshToken } of server.session.credentials) {
    const headers = { authorization: `Bearer ${refreshToken}` };
    const { text } = await server.send({ to: "auth", method: "POST", url: "/auth/refresh", headers });
    tokens.set(name, (JSON.parse(text) as { access_token: string }).access_token);
  }
  return tokens;
}

/** One session of generated requests, determined by its seed. */
async function runSession(seed: number, requests: number): Promise<Map<number, number>> {
  const chooser = new SeededChooser(seed, "requests");
  const server = await FuzzServer.start(seed, seed % 2 === 0 ? "on" : "off");
  const { session } = server;
  const callers = new CallGenerator(session, chooser);
  const generator = new RequestGenerator(chooser, callers, await signIn(server), (name) => server.refreshTokenOf(name));
  let request: FuzzRequest | null = null;
  try {
    for (let k = 0; k < requests; k++) {
      request = chooser.chance(0.06) ? generator.advanceRequest() : generator.nextRequest();
      const { status, text } = await server.send(request);
      callers.rememberSchedules(text);
      if (status === 200 && /"control_type":.*"members":/.test(text) && request.method === "POST")
        checkShares(JSON.parse(text) as ScheduleEntry);
      if (request.url === "/sandbox/checkpoints" && request.method === "POST" && status === 200)
        generator.addCheckpoint((JSON.parse(text) as { checkpoint_id: string }).checkpoint_id);
      if (k % REQUESTS_BETWEEN_CHECKS === REQUESTS_BETWEEN_CHECKS - 1) await checkWorld(session);
    }
    request = null;
    const { own, rerun } = await sessionAndExportReports(session);
    expect(own).toEqual(rerun);
    expect(Object.keys(Object.prototype)).toEqual([]);
  } catch (error) {
    const last = request === null ? "at the end" : `after ${JSON.stringify(request).slice(0, 2_000)}`;
    throw new Error(`seed ${seed}, ${last}: ${error instanceof Error ? error.stack : String(error)}`, { cause: error });
  } finally {
    await server.stop();
  }
  return server.statuses;
}

test.each(seedsFrom(seedOr(1), Math.ceil(REQUESTS / PER_SESSION)))(
  "requests of seed %i: only described answers, and a session equal to its export",
  async (seed) => {
    const statuses = await runSession(seed, PER_SESSION);
    // A session in which every request succeeded, or every one was refused, would test too little.
    expect(statuses.get(200)).toBeGreaterThan(PER_SESSION / 5);
    expect(statuses.get(400)).toBeGreaterThan(PER_SESSION / 20);
  },
);
