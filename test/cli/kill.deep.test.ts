import { expect, test } from "vitest";
import { RandomStreams } from "../../src/engine/kernel/randomStreams.ts";
import { runs } from "../depth.ts";
import { writeTinyScenario } from "../session/tinyScenario.ts";
import { createTemporaryFolder } from "../temporaryFolder.ts";
import { type ReadyLine, requestJson, signIn, startServer } from "./serveProcess.ts";

/** How often the server is killed. */
const KILLS = runs(5);
/** Callers at one time. */
const CALLERS = 6;

/** A command that was answered: asked again with its key, it has to be answered the same, byte for byte. */
interface Acknowledged {
  readonly key: string;
  readonly weight: number;
  readonly text: string;
}

test(`${KILLS} kills at random moments under load lose no command that was answered`, async () => {
  const random = new RandomStreams(4711).getStream("kills", "test");
  const cwd = createTemporaryFolder("kill");
  const file = writeTinyScenario(cwd);
  const args = [file, "--paused", "--journal", "a.journal", "--rate-limits", "off"];
  const acknowledged: Acknowledged[] = [];
  /** Commands without an answer: the server may have executed them or not. */
  const open: Omit<Acknowledged, "text">[] = [];
  let latest = "";
  for (let kill = 0; kill <= KILLS; kill++) {
    const server = await startServer(cwd, ...args);
    expect(server.at.resumed).toBe(kill === 0 ? undefined : true);
    expect(server.at.mode).toBe("paused");
    expect(server.at.now >= latest).toBe(true);
    const member = await memberOf(server.at);
    await expectAllThere(server.at, member, acknowledged);
    // A client repeats what was not answered: it is executed once, whatever had become of it.
    for (const { key, weight } of open.splice(0)) {
      const answers = [await update(member, key, weight), await update(member, key, weight)];
      expect({ key, statuses: answers.map(({ status }) => status) }).toEqual({ key, statuses: [200, 200] });
      expect(answers[1].text).toBe(answers[0].text);
      acknowledged.push({ key, weight, text: answers[0].text });
    }
    if (kill === KILLS) {
      // The export leads to the state of the recovered session, or no report is written.
      expect((await requestJson("POST", `${server.at.base_url}/sandbox/clock/advance`, { by: "PT1S" })).status).toBe(
        200,
      );
      await server.stop();
      break;
    }
    if (kill % 2 === 1) await requestJson("POST", `${server.at.base_url}/sandbox/clock/resume`, { speed: 60 });
    const ended = server.exited;
    let alive = true;
    const callers = Array.from({ length: CALLERS }, async (_, caller) => {
      for (let k = 0; alive; k++) {
        const key = `kill-${kill}-${caller}-${k}`;
        const weight = kill + caller / 10;
        const answer = await update(member, key, weight).catch(() => null);
        if (answer === null) {
          open.push({ key, weight });
          return;
        }
        expect(answer.status).toBe(200);
        acknowledged.push({ key, weight, text: answer.text });
        latest = [latest, JSON.parse(answer.text).timestamp].sort()[1];
      }
    });
    // In the middle of its answers, after a few or many.
    const enough = acknowledged.length + 10 + Math.floor(50 * random.nextUniform());
    await expect.poll(() => acknowledged.length, { interval: 1 }).toBeGreaterThanOrEqual(enough);
    server.kill("SIGKILL");
    alive = false;
    expect((await ended).signal).toBe("SIGKILL");
    await Promise.all(callers);
  }
  expect(acknowledged.length).toBeGreaterThanOrEqual(10 * KILLS);
  console.info(`${KILLS} kills, ${acknowledged.length} commands answered, all there`);
});

interface MemberUrl {
  readonly url: string;
  readonly headers: Record<string, string>;
}

async function memberOf(at: ReadyLine): Promise<MemberUrl> {
  const { vppId, sites, headers } = await signIn(at);
  const startMs = Date.parse("2026-04-01T03:00:00Z");
  const member_baselines = sites.map(({ ems_id }) => ({ ems_id, baseline_kw: 0 }));
  bodyOf = (weight) => ({
    type: "schedule",
    sku: null,
    delta_kw: -10 - weight,
    start_time: new Date(startMs).toISOString().replace(".000Z", "Z"),
    end_time: new Date(startMs + 60_000 * (10 + Math.floor(weight))).toISOString().replace(".000Z", "Z"),
    member_baselines,
  });
  return { url: `${at.base_url}/v1/vpp/${vppId}/control/active_power`, headers };
}

let bodyOf: (weight: number) => object = () => ({});

const update = ({ url, headers }: MemberUrl, key: string, weight: number) =>
  requestJson("POST", url, bodyOf(weight), { ...headers, "idempotency-key": key });

/** The last dozen of each life and some of before: a replay of all would take longer than the test. */
async function expectAllThere(at: ReadyLine, member: MemberUrl, acknowledged: readonly Acknowledged[]): Promise<void> {
  const exported = (await requestJson("POST", `${at.base_url}/sandbox/export`, {})).text;
  const count = exported.split('"kind":"request"').length - 1;
  expect(count).toBeGreaterThanOrEqual(acknowledged.length);
  const sample = acknowledged.filter((_, k) => k % 37 === 0 || k >= acknowledged.length - 60);
  for (const { key, weight, text } of sample) {
    const again = await update(member, key, weight);
    expect({ key, text: again.text }).toEqual({ key, text });
  }
}
