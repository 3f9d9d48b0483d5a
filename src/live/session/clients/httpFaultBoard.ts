import type { EpochMs } from "../../../base/time.ts";
import type { HttpFaultAnswer, HttpFaultMatch } from "../../../inputs/scenario/schema/httpFaultSchema.ts";

/** An HTTP fault as its command has it. */
export interface HttpFaultSpec {
  readonly match: HttpFaultMatch;
  readonly answer: HttpFaultAnswer;
  /** In simulated time; `null`: until `next` is used up or it is ended. */
  readonly durationMs: number | null;
}

/** An HTTP fault with what it has done. */
export interface HttpFault {
  readonly id: string;
  readonly spec: HttpFaultSpec;
  readonly createdMs: EpochMs;
  /** `Infinity`: not by time. */
  readonly endsMs: EpochMs;
  readonly hits: number;
}

/** What HTTP faults select requests by. */
export interface FaultableRequest {
  readonly api: NonNullable<HttpFaultMatch["api"]>;
  readonly method: string;
  /** As in the description; `null`: none. */
  readonly route: string | null;
  readonly isTelemetry: boolean;
  /** Whether it has an access token that can expire. */
  readonly hasToken: () => boolean;
}

/** A begin or an end on the branch of a session, as its export has them. */
export interface HttpFaultCommand {
  readonly atMs: EpochMs;
  /** Inputs of the branch that acted before it. */
  readonly afterInputs: number;
  readonly id: string;
  /** `null`: the fault ends. */
  readonly begin: HttpFaultSpec | null;
}

/** A place on a branch. */
type Place = Pick<HttpFaultCommand, "atMs" | "afterInputs">;

/** Share of the requests that match; rounding errors of k · share are far below it. */
const SHARE_TOLERANCE = 1e-9;

interface CountingFault extends HttpFault {
  hits: number;
  /** Matching requests that no older fault has hit. */
  matched: number;
}

/** The HTTP faults of a session, from the entries of its journal (docs/model/sandbox.md#http-faults). */
export class HttpFaultBoard {
  private readonly faults = new Map<string, CountingFault>();
  private count = 0;
  private branch: HttpFaultCommand[] = [];

  /** Begins and ends on the branch, oldest first. */
  get commands(): readonly HttpFaultCommand[] {
    return this.branch;
  }

  begin(spec: HttpFaultSpec, place: Place): void {
    const { atMs } = place;
    for (const { id, endsMs } of this.faults.values()) if (endsMs <= atMs) this.faults.delete(id);
    const id = `http-fault-${++this.count}`;
    const endsMs = atMs + (spec.durationMs ?? Number.POSITIVE_INFINITY);
    this.faults.set(id, { id, spec, createdMs: atMs, endsMs, hits: 0, matched: 0 });
    this.branch.push({ ...place, id, begin: spec });
  }

  end(id: string, place: Place): void {
    if (this.faults.delete(id)) this.branch.push({ ...place, id, begin: null });
  }

  /** Ids of the faults whose time is up and that have not been ended. */
  lapsed(nowMs: EpochMs): readonly string[] {
    return [...this.faults.values()].filter(({ endsMs }) => endsMs <= nowMs).map(({ id }) => id);
  }

  /** A restore leaves the faults as they are; the branch states them at its end. */
  rewound(place: Place): void {
    const { atMs, afterInputs } = place;
    this.branch = this.branch.filter((command) => command.afterInputs <= afterInputs && command.atMs <= atMs);
    const begun = new Set(this.branch.flatMap(({ id, begin }) => (begin === null ? [] : [id])));
    const ended = new Set(this.branch.flatMap(({ id, begin }) => (begin === null ? [id] : [])));
    for (const id of begun) if (!ended.has(id) && !this.faults.has(id)) this.branch.push({ ...place, id, begin: null });
    for (const { id, spec, endsMs } of this.faults.values()) {
      const durationMs = spec.durationMs === null ? null : endsMs - atMs;
      if (!begun.has(id)) this.branch.push({ ...place, id, begin: { ...spec, durationMs } });
    }
  }

  /** Oldest first. */
  inForce(nowMs: EpochMs): readonly HttpFault[] {
    return [...this.faults.values()].filter(({ endsMs }) => nowMs < endsMs);
  }

  /** Counts a hit of the oldest fault that hits a request; `null`: none does. */
  take(request: FaultableRequest, nowMs: EpochMs): HttpFault | null {
    if (this.faults.size === 0) return null;
    for (const fault of this.faults.values()) if (nowMs < fault.endsMs && hits(fault, request)) return fault;
    return null;
  }

  /** The same of one fault alone, for a connection that is open when it begins. */
  takeOf(id: string, request: FaultableRequest): HttpFault | null {
    const fault = this.faults.get(id);
    return fault !== undefined && hits(fault, request) ? fault : null;
  }
}

/** Whether a fault hits a request; counts it. */
function hits(fault: CountingFault, request: FaultableRequest): boolean {
  const { match, answer } = fault.spec;
  if (!matches(match, request) || ("token" in answer && !request.hasToken())) return false;
  const share = match.share ?? 1;
  const before = Math.floor(fault.matched++ * share + SHARE_TOLERANCE);
  if (Math.floor(fault.matched * share + SHARE_TOLERANCE) === before) return false;
  fault.hits++;
  return true;
}

const matches = ({ api, method, route }: HttpFaultMatch, request: FaultableRequest): boolean =>
  (api === undefined || api === request.api) &&
  (method === undefined || method === request.method) &&
  (route === undefined ? !request.isTelemetry : route === request.route);

/** Hits that are left; `null`: any number. */
export const hitsLeft = ({ spec: { match }, hits }: HttpFault): number | null =>
  match.next === undefined ? null : match.next - hits;
