import { join } from "node:path";
import { expect, test } from "vitest";
import { type ClockEntry, decodeEntry, type RequestEntry } from "../../src/live/session/journal/journalEntry.ts";
import { runs, seedsFrom } from "../depth.ts";
import { readJournalAt } from "../session/readJournalAt.ts";
import { createTemporaryFolder } from "../temporaryFolder.ts";
import { type LiveServer, startLiveServer } from "./liveServer.ts";
import { EVERY_SECOND, type Outcome, RaceClients, ROUNDS, send } from "./raceClients.ts";

type Step = ClockEntry | RequestEntry;

const isStep = ({ kind }: { readonly kind: string }): boolean => kind === "clock" || kind === "request";
const callOf = (step: Step): number | null => (step.kind === "request" ? Number(step.request.query.call) : null);
const isDone = ({ answer }: Outcome): boolean => answer.startsWith("200 ");

test.each(seedsFrom(1, runs(2)))(
  "two concurrent clients get the answers of sequential calls (seed %i)",
  async (seed) => {
    const file = join(createTemporaryFolder("race"), "tiny.journal");
    const live = await startLiveServer({ rateLimits: "off" }, undefined, { journal: { file, resumesEnded: true } });
    live.session.addListener(EVERY_SECOND);
    const race = new RaceClients(live, seed);
    for (let round = 0; round < ROUNDS; round++) await race.round(round);
    const hash = live.session.stateHash();
    await live.close();
    const steps = readJournalAt(file)!.records.map(decodeEntry).filter(isStep) as Step[];
    const alone = await startLiveServer({ rateLimits: "off" });
    const places = await checkSerial(alone, steps, race.outcomes);
    expect(alone.session.stateHash()).toBe(hash);
    await alone.close();
    checkOrder(places);
    checkKinds(race.outcomes, new Set(steps.map(callOf)));
  },
);

/** Possible positions of calls in the serial order: the number of steps before each. */
type Places = ReadonlyMap<Outcome, readonly number[]>;

/**
 * Executes the calls of the journal one by one, in its order, on a server of its own: each must have the same answer as
 * in the race. Calls without effect, such as reads and repeated keys, are tried in between.
 *
 * @returns for each of these calls the positions at which its answer is that of the race
 */
async function checkSerial(alone: LiveServer, steps: readonly Step[], outcomes: readonly Outcome[]): Promise<Places> {
  const byNumber = new Map(outcomes.map((outcome) => [outcome.call.number, outcome]));
  const placeOf = new Map(steps.flatMap((step, k) => (callOf(step) === null ? [] : [[callOf(step), k] as const])));
  const others = outcomes.filter(({ call }) => !placeOf.has(call.number));
  const executed = outcomes.filter(({ call }) => placeOf.has(call.number));
  const within = new Map(others.map((other) => [other, windowOf(other, executed, placeOf, steps.length)]));
  const places = new Map<Outcome, number[]>(others.map((other) => [other, []]));
  const answered = new Set<string>();
  for (let behind = 0; behind <= steps.length; behind++) {
    for (const other of others) {
      const { call, answer } = other;
      const [first, last] = within.get(other)!;
      if (behind < first || last < behind) continue;
      if (call.method !== "GET" && !answered.has(`${call.name} ${call.idempotencyKey}`)) continue;
      if ((await send(alone, call)) === answer) places.get(other)!.push(behind);
    }
    if (behind === steps.length) break;
    const step = steps[behind];
    await alone.session.advance(() => step.at_ms);
    if (step.kind === "clock") continue;
    const outcome = byNumber.get(callOf(step)!)!;
    expect(await send(alone, outcome.call), `call ${outcome.call.number}`).toBe(outcome.answer);
    places.set(outcome, [behind + 0.5]);
    if (isDone(outcome) && outcome.call.idempotencyKey !== undefined)
      answered.add(`${outcome.call.name} ${outcome.call.idempotencyKey}`);
  }
  return places;
}

/** First and last possible position of a call, given what was answered before it and sent after it. */
function windowOf(
  { sent, received }: Outcome,
  executed: readonly Outcome[],
  placeOf: ReadonlyMap<number | null, number>,
  count: number,
): readonly [number, number] {
  let [first, last] = [0, count];
  for (const other of executed) {
    const place = placeOf.get(other.call.number)!;
    if (other.received < sent) first = Math.max(first, place + 1);
    if (received < other.sent) last = Math.min(last, place);
  }
  return [first, last];
}

/** A call answered before another was sent has an earlier position, or the same. */
function checkOrder(places: Places): void {
  const taken: { readonly outcome: Outcome; readonly place: number }[] = [];
  for (const [outcome, possible] of [...places].sort(([a], [b]) => a.sent - b.sent)) {
    const earlier = taken.filter((other) => other.outcome.received < outcome.sent).map(({ place }) => place);
    const first = Math.max(0, ...earlier);
    const place = possible.find((candidate) => first <= candidate);
    const { number, method, path, idempotencyKey: key } = outcome.call;
    const what = `${method} ${path} (call ${number}, key ${key}) behind ${first}, possible at ${possible.join(", ")}`;
    expect(place, `${what}: ${outcome.answer}`).toBeDefined();
    taken.push({ outcome, place: place! });
  }
}

/** Checks that every kind of conflict occurred in the race. */
function checkKinds(outcomes: readonly Outcome[], executed: ReadonlySet<number | null>): void {
  const commands = outcomes.filter(({ call }) => call.method !== "GET");
  const again = commands.filter((outcome) => !executed.has(outcome.call.number));
  const kinds = {
    commands: commands.filter((outcome) => isDone(outcome) && executed.has(outcome.call.number)).length,
    refusals: commands.filter((outcome) => !isDone(outcome) && executed.has(outcome.call.number)).length,
    replays: again.filter(isDone).length,
    conflicts: again.filter(({ answer }) => answer.includes('"idempotency_conflict"')).length,
    refusedRemovals: commands.filter(({ call, answer }) => call.method === "DELETE" && !answer.startsWith("200"))
      .length,
    reads: outcomes.length - commands.length,
  };
  expect(kinds.replays + kinds.conflicts).toBe(again.length);
  expect(kinds.commands).toBeGreaterThan(5 * ROUNDS);
  for (const count of Object.values(kinds)) expect(count).toBeGreaterThan(3);
}
