// A world that a caller talks to: calls run at the instant that the world has been run through.
import { answerRequest } from "../../src/endpoints/answerRequest.ts";
import type { Answer, ApiName } from "../../src/endpoints/route.ts";
import { findRoute } from "../../src/endpoints/routes.ts";
import { shapeProblems } from "../../src/endpoints/shared/checkShape.ts";
import { composeObservers } from "../../src/simulation/composeObservers.ts";
import type { Observer } from "../../src/simulation/observer.ts";
import { World, type WorldOptions } from "../../src/simulation/world.ts";
import type { WorldSpec } from "../../src/simulation/worldSpec.ts";
import { at } from "../simulation/tinyWorld.ts";
import { silent } from "./silent.ts";

/** A parsed answer; the tests look at single keys. */
export type Body = { readonly [key: string]: unknown };

export interface Answered {
  readonly status: number;
  readonly body: Body;
  /** The error object, empty where the answer is none. */
  readonly error: Body;
}

export class Caller {
  readonly world: World;
  /** Rows of events.csv that tell of refused requests: "subject: error_type". */
  readonly refusedRows: string[] = [];

  constructor(spec: WorldSpec, observer: Observer = silent(), options: WorldOptions = {}) {
    const happened: Observer["happened"] = (kind, subject, detail) => {
      if (kind === "request_refused") this.refusedRows.push(`${subject}: ${detail}`);
    };
    this.world = new World(spec, composeObservers([observer, { ...silent(), happened }]), options);
  }

  /** "hh:mm[:ss]" after the start. */
  goTo(clock: string): this {
    this.world.runThrough(at(clock));
    return this;
  }

  call(api: ApiName, id: string, method: string, path: string, body?: unknown): Answered {
    const [bare, query = ""] = path.split("?", 2);
    const request = { api, id, method, path: bare, query: Object.fromEntries(new URLSearchParams(query)), body };
    const answer = this.world.command(() => answerRequest({ world: this.world }, request));
    checkAgainstTable(api, method, bare, answer);
    const sent = JSON.parse(JSON.stringify(answer.body)) as Body;
    return { status: answer.status, body: sent, error: (sent.error ?? {}) as Body };
  }
}

/** Every answer is one that the endpoint's table describes. */
function checkAgainstTable(api: ApiName, method: string, path: string, answer: Answer): void {
  const schema = findRoute(api, method, path)?.route.answers[answer.status];
  if (schema === undefined) {
    if (answer.status < 400) throw new Error(`${method} ${path} has no schema for ${answer.status}`);
    return;
  }
  const problems = shapeProblems(schema, JSON.parse(JSON.stringify(answer.body)));
  if (problems.length > 0) throw new Error(`answer of ${method} ${path}: ${problems[0].refusal.details}`);
}

export const iso = (clock: string): string => `${new Date(at(clock)).toISOString().slice(0, 19)}Z`;
