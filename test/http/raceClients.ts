// Two clients of a live server that compete for the same resources, and the answers they received.

import { isoUtc, MS_PER_HOUR, MS_PER_MINUTE } from "../../src/base/time.ts";
import { RandomStreams } from "../../src/engine/kernel/randomStreams.ts";
import { ObserverList } from "../../src/engine/simulation/observerList.ts";
import type { SessionListener } from "../../src/live/session/sessionListener.ts";
import { START_MS } from "../session/tinyScenario.ts";
import type { LiveServer } from "./liveServer.ts";

export interface RaceCall {
  readonly number: number;
  readonly name: string;
  readonly method: "GET" | "POST" | "DELETE";
  readonly path: string;
  readonly body?: object;
  readonly idempotencyKey?: string;
}

/** A call, its answer, and the order of sending and receiving among all calls. */
export interface Outcome {
  readonly call: RaceCall;
  readonly sent: number;
  readonly received: number;
  readonly answer: string;
}

export const ROUNDS = 12;
const CONTROL = "/control/active_power";

/** Sends one call on a new or free connection. @returns status and body as received */
export async function send(
  live: LiveServer,
  { number, name, method, path, body, idempotencyKey: key }: RaceCall,
): Promise<string> {
  const url = new URL(`${live.baseUrl}/${name === "east" ? "v1/vpp" : "v2/ems"}/${live.idOf(name)}${path}`);
  // The server ignores this parameter, but the journal has it and so identifies the call.
  if (method !== "GET") url.searchParams.set("call", String(number));
  const headers = {
    ...(await tokenOf(live, name)),
    ...(body === undefined ? {} : { "content-type": "application/json" }),
    ...(key === undefined ? {} : { "idempotency-key": key }),
  };
  const answer = await fetch(url, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
  return `${answer.status} ${await answer.text()}`;
}

const tokens = new WeakMap<LiveServer, Map<string, ReturnType<LiveServer["signIn"]>>>();

function tokenOf(live: LiveServer, name: string): ReturnType<LiveServer["signIn"]> {
  const known = tokens.get(live) ?? new Map<string, ReturnType<LiveServer["signIn"]>>();
  tokens.set(live, known);
  const token = known.get(name) ?? live.signIn(name);
  known.set(name, token);
  return token;
}

/** Makes an advance yield to the event loop for each second, so that commands arrive during it. */
export const EVERY_SECOND: SessionListener = {
  observer: new ObserverList(),
  nextTickMs: (afterMs) => (Math.floor(afterMs / 1_000) + 1) * 1_000,
  onSettled() {},
  onClock() {},
  onFault() {},
  onRewound() {},
  onRevoked() {},
};

/** Two clients that use the same schedules, members and keys without waiting for each other. */
export class RaceClients {
  readonly outcomes: Outcome[] = [];
  readonly #live: LiveServer;
  readonly #random: RandomStreams;
  /** Schedules in answers to either client, newest last. */
  readonly #schedules: string[] = [];
  #count = 0;
  #calls = 0;

  constructor(live: LiveServer, seed: number) {
    this.#live = live;
    this.#random = new RandomStreams(seed);
  }

  /** Both clients act during an advance of the clock, and again at the instant it reaches. */
  async round(round: number): Promise<void> {
    const moving = this.#live.session.advance((nowMs) => nowMs + 5 * MS_PER_MINUTE);
    await Promise.all([moving, ...["a", "b"].map((client) => this.#client(client, round))]);
  }

  async #client(client: string, round: number): Promise<void> {
    // Commands wait for the end of the advance, so that all later answers are of one instant.
    await this.#burst([this.#join(), this.#weigh(client), this.#instruct(client)]);
    // The same request under the same key; another request under the same key.
    await this.#burst([
      this.#schedule({ key: `same-${round}`, kw: -50 - round, slot: round }),
      this.#schedule({ key: `other-${round}`, kw: client === "a" ? 40 : 30, slot: round + 1 }),
      { name: "battery-1", ...this.#siteSchedule(round) },
    ]);
    for (let k = 0; k < 3; k++) await this.#burst([this.#any(client), this.#any(client), this.#any(client)]);
  }

  #burst(calls: readonly Omit<RaceCall, "number">[]): Promise<unknown> {
    return Promise.all(
      calls.map(async (wanted) => {
        const call = { ...wanted, number: this.#calls++ };
        const sent = this.#count++;
        const answer = await send(this.#live, call);
        this.outcomes.push({ call, sent, received: this.#count++, answer });
        for (const [, id] of answer.matchAll(/"schedule_id":"([0-9a-f]{32})"/g)) this.#schedules.push(id);
      }),
    );
  }

  #any(client: string): Omit<RaceCall, "number"> {
    const kind = this.#below(client, 9);
    const path = `/members/${this.#live.idOf("plant")}`;
    if (kind === 0) return { name: "east", method: "DELETE", path };
    if (kind === 1) return this.#join();
    if (kind === 2) return this.#weigh(client);
    if (kind === 3) return this.#instruct(client);
    if (kind === 4) return { name: "east", method: "GET", path: "/members" };
    if (kind === 5) return { name: "east", method: "GET", path: `${CONTROL}/schedules` };
    if (kind === 6)
      return this.#schedule({ kw: 10 * this.#below(client, 9) - 45, slot: this.#below(client, 2 * ROUNDS) });
    const [id = "0".repeat(32)] = this.#schedules.slice(-1 - this.#below(client, 4));
    return { name: "east", method: "DELETE", path: `${CONTROL}/schedules?schedule_id=${id}` };
  }

  #below(client: string, limit: number): number {
    return Math.floor(limit * this.#random.getStream("race", client).nextUniform());
  }

  #join(): Omit<RaceCall, "number"> {
    const body = { ems_id: this.#live.idOf("plant"), resource_type: "consumer", allocation_weight: 70 };
    return { name: "east", method: "POST", path: "/members", body };
  }

  #weigh(client: string): Omit<RaceCall, "number"> {
    const body = { label: `of ${client}`, allocation_weight: 10 + this.#below(client, 90) };
    return { name: "east", method: "POST", path: `/members/${this.#live.idOf("battery-2")}`, body };
  }

  #instruct(client: string): Omit<RaceCall, "number"> {
    const body = { type: "immediate", delta_kw: -5 - this.#below(client, 50), duration_minutes: 3 };
    return { name: "east", method: "POST", path: CONTROL, body: { ...body, member_baselines: this.#baselines() } };
  }

  /** @param slot  quarters of an hour after 02:00 */
  #schedule({ key, kw, slot }: { readonly key?: string; readonly kw: number; readonly slot: number }) {
    const body = { type: "schedule", delta_kw: kw, ...timesOf(slot), member_baselines: this.#baselines() };
    return {
      name: "east",
      method: "POST",
      path: CONTROL,
      body,
      ...(key === undefined ? {} : { idempotencyKey: key }),
    } as const;
  }

  #siteSchedule(round: number) {
    const body = { type: "schedule", sku: null, delta_kw: 20 + round, baseline_kw: 0, ...timesOf(round) };
    return { method: "POST", path: CONTROL, body, idempotencyKey: `site-${round}` } as const;
  }

  /** Of all three: refused while the plant is away. */
  #baselines() {
    return ["battery-1", "battery-2", "plant"].map((name) => ({
      ems_id: this.#live.idOf(name),
      baseline_kw: name === "plant" ? 300 : 0,
    }));
  }
}

function timesOf(slot: number) {
  const startMs = START_MS + 2 * MS_PER_HOUR + 15 * slot * MS_PER_MINUTE;
  return { start_time: isoUtc(startMs), end_time: isoUtc(startMs + 25 * MS_PER_MINUTE) };
}
