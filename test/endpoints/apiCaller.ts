// A world with a caller; each call takes place at the instant that the world has reached.
import { answerRequest } from "../../src/api/endpoints/answerRequest.ts";
import type { Answer, ApiName } from "../../src/api/endpoints/route.ts";
import { findRoute } from "../../src/api/endpoints/routes.ts";
import { shapeProblems } from "../../src/api/endpoints/shared/shapeProblems.ts";
import type { Observer } from "../../src/engine/simulation/observer.ts";
import { ObserverList } from "../../src/engine/simulation/observerList.ts";
import { World, type WorldOptions } from "../../src/engine/simulation/world.ts";
import type { WorldSpec } from "../../src/engine/simulation/worldSpec.ts";
import { at } from "../simulation/smallWorld.ts";

/** A parsed answer; the tests read single keys. */
export type JsonBody = { readonly [key: string]: unknown };

export interface ApiAnswer {
  readonly status: number;
  readonly body: JsonBody;
  /** The error object, empty where the answer is no error. */
  readonly error: JsonBody;
}

export class ApiCaller {
  readonly world: World;
  /** Events of refused requests in events.csv: "subject: error_type". */
  readonly refusedEvents: string[] = [];

  constructor(spec: WorldSpec, observer: Observer = new ObserverList(), options: WorldOptions = {}) {
    const happened: Observer["onRunEvent"] = (kind, subject, detail) => {
      if (kind === "request_refused") this.refusedEvents.push(`${subject}: ${detail}`);
    };
    this.world = new World(spec, new ObserverList([observer, { onRunEvent: happened }]), options);
  }

  /** "hh:mm[:ss]" after the start. */
  advanceTo(clock: string): this {
    this.world.runThrough(at(clock));
    return this;
  }

  call(api: ApiName, id: string, method: string, path: string, body?: unknown): ApiAnswer {
    const [bare, query = ""] = path.split("?", 2);
    const request = { api, id, method, path: bare, query: Object.fromEntries(new URLSearchParams(query)), body };
    const answer = this.world.runCommand(() => answerRequest({ world: this.world }, request));
    checkAgainstTable(api, method, bare, answer);
    const sent = JSON.parse(JSON.stringify(answer.body)) as JsonBody;
    return { status: answer.status, body: sent, error: (sent.error ?? {}) as JsonBody };
  }
}

/** Checks an answer against the schema in the endpoint's table. */
function checkAgainstTable(api: ApiName, method: string, path: string, answer: Answer): void {
  if (400 <= answer.status) return;
  const schema = findRoute(api, method, path)?.route.answerSchema;
  if (schema === undefined || answer.status !== 200)
    throw new Error(`${method} ${path} has no schema for ${answer.status}`);
  const problems = shapeProblems(schema, JSON.parse(JSON.stringify(answer.body)));
  if (problems.length > 0) throw new Error(`answer of ${method} ${path}: ${problems[0].refusal.details}`);
}

export const iso = (clock: string): string => `${new Date(at(clock)).toISOString().slice(0, 19)}Z`;
