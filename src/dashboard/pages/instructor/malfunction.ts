import type {
  FaultKind,
  FaultRecord,
  InjectCondition,
  InjectRecord,
  OutputControlReason,
  ScenarioFault,
} from "../../../api/client/sandboxTypes.ts";

/** Every kind of malfunction of the sandbox. */
export const MALFUNCTION_KINDS: readonly FaultKind[] = [
  "outage",
  "maintenance",
  "warning",
  "link_down",
  "fcr_fault",
  "output_control",
  "derate",
  "sensor_offset",
  "sensor_stuck",
  "irradiance_shortfall",
];

export const SENSORS = ["power", "soc"] as const;
type Sensor = (typeof SENSORS)[number];

export const OUTPUT_CONTROL_REASONS: readonly OutputControlReason[] = [
  "fit_curtailment",
  "non_firm_congestion",
  "manual",
  "other",
];

/** When a malfunction begins: now, at a time, after a time, or when a condition holds. */
export const MALFUNCTION_TIMES = [
  "now",
  "at",
  "after",
  "award",
  "delivered_above",
  "delivered_below",
  "uncovered_above",
  "soc_below",
] as const;
export type MalfunctionTime = (typeof MALFUNCTION_TIMES)[number];

/** Limits that a condition begins with: % of the request, kW, and % of the capacity. */
export const CONDITION_LIMITS: Readonly<Partial<Record<MalfunctionTime, number>>> = {
  delivered_above: 95,
  delivered_below: 90,
  uncovered_above: 100,
  soc_below: 30,
};

/** The form of a malfunction as filled in. */
export interface MalfunctionDraft {
  readonly kind: FaultKind;
  readonly site: string;
  readonly when: MalfunctionTime;
  readonly atMs: number | null;
  /** From now, or of a prepared one from its arming. */
  readonly afterMinutes: number | null;
  readonly awardId: string | null;
  /** Limit of the condition, in its unit. */
  readonly limit: number | null;
  /** Site whose state of charge is the condition. */
  readonly socSite: string;
  /** How long the condition must hold; `null`: an instant is enough. */
  readonly forMinutes: number | null;
  /** `null`: until it is ended. */
  readonly minutes: number | null;
  /** In percent. */
  readonly limitPct: number | null;
  readonly reason: OutputControlReason;
  readonly rampInMinutes: number | null;
  readonly rampOutMinutes: number | null;
  readonly sensor: Sensor;
  /** % points of the SOC, or kW. */
  readonly offset: number | null;
}

/** Request of a malfunction: at once as a fault, later as an inject. */
interface MalfunctionRequest {
  readonly path: "/sandbox/faults" | "/sandbox/injects";
  readonly body: Readonly<Record<string, unknown>>;
}

/** @param vpp  whose power a condition is about */
export function malfunctionRequest(draft: MalfunctionDraft, vpp: string, nowMs: number): MalfunctionRequest {
  const fault = faultKeys(draft);
  const { when, atMs, afterMinutes } = draft;
  if (when === "now") return { path: "/sandbox/faults", body: fault };
  const beginMs = when === "after" ? nowMs + 60_000 * (afterMinutes ?? 0) : (atMs ?? 0);
  const begin =
    when === "at" || when === "after" ? { at: isoSeconds(beginMs) } : { when: conditionOf(draft, when, vpp) };
  return { path: "/sandbox/injects", body: { ...fault, ...begin } };
}

/** The same as a prepared malfunction, which begins at a time, after its arming or on a condition. */
export function preparedRequest(draft: MalfunctionDraft, vpp: string): Readonly<Record<string, unknown>> {
  const { when, afterMinutes } = draft;
  if (when === "now" || when === "after") return { ...faultKeys(draft), after: durationText(afterMinutes ?? 0) };
  return malfunctionRequest(draft, vpp, 0).body;
}

function faultKeys(draft: MalfunctionDraft): Readonly<Record<string, unknown>> {
  const { kind, site, minutes } = draft;
  return { kind, site, ...(minutes === null ? {} : { duration: durationText(minutes) }), ...keysOfKind(draft) };
}

function keysOfKind(draft: MalfunctionDraft): Readonly<Record<string, unknown>> {
  const { kind, reason, rampInMinutes, rampOutMinutes, sensor } = draft;
  const limit_pct = draft.limitPct ?? 0;
  switch (kind) {
    case "output_control":
      return { limit_pct, reason };
    case "derate":
      return {
        limit_pct,
        ...(rampInMinutes === null ? {} : { ramp_in: durationText(rampInMinutes) }),
        ...(rampOutMinutes === null ? {} : { ramp_out: durationText(rampOutMinutes) }),
      };
    case "irradiance_shortfall":
      return { limit_pct };
    case "sensor_offset":
      return { sensor, offset: draft.offset ?? 0 };
    case "sensor_stuck":
      return { sensor };
    default:
      return {};
  }
}

function conditionOf(
  draft: MalfunctionDraft,
  when: Exclude<MalfunctionTime, "now" | "at" | "after">,
  vpp: string,
): InjectCondition {
  const { awardId, socSite, forMinutes } = draft;
  const limit = draft.limit ?? 0;
  const duration = forMinutes === null ? {} : { for: durationText(forMinutes) };
  switch (when) {
    case "award":
      return { award_in_force: awardId ?? "", ...duration };
    case "delivered_above":
      return { delivered_share_pct: { vpp, above: limit }, ...duration };
    case "delivered_below":
      return { delivered_share_pct: { vpp, below: limit }, ...duration };
    case "uncovered_above":
      return { uncovered_kw: { vpp, above: limit }, ...duration };
    case "soc_below":
      return { soc_pct: { site: socSite, below: limit }, ...duration };
  }
}

/** ISO 8601 duration of minutes, in whole seconds. */
const durationText = (minutes: number): string => `PT${Math.round(60 * minutes)}S`;
const isoSeconds = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19)}Z`;

/** A row of the table: something that is in force, or planned. Instants in epoch milliseconds. */
export interface MalfunctionRow {
  readonly id: string;
  readonly origin: "fault" | "inject" | "scenario";
  readonly kind: FaultKind;
  readonly site: string;
  readonly limitPct: number | null;
  readonly state: InjectRecord["state"];
  readonly startMs: number | null;
  readonly condition: InjectCondition | null;
  readonly endMs: number | null;
}

/** What is in force, then what is planned, then what is over. An inject in force is shown by its fault. */
export function malfunctionRows(
  faults: readonly FaultRecord[],
  injects: readonly InjectRecord[],
  scenarioFaults: readonly ScenarioFault[],
): readonly MalfunctionRow[] {
  const inForce = faults.map(
    ({ fault_id, kind, site, starts_at, ends_at, limit_pct }): MalfunctionRow => ({
      id: fault_id,
      origin: "fault",
      kind,
      site,
      limitPct: limit_pct ?? null,
      state: "in_force",
      startMs: Date.parse(starts_at),
      condition: null,
      endMs: ends_at === null ? null : Date.parse(ends_at),
    }),
  );
  const planned = injects.filter(({ state }) => state !== "in_force").map(injectRow);
  // One in force is among the faults.
  const coming = scenarioFaults.filter(({ state }) => state === "planned").map(scenarioRow);
  const order: readonly InjectRecord["state"][] = ["in_force", "planned", "ended", "cancelled"];
  return [...inForce, ...planned, ...coming].sort(
    (a, b) => order.indexOf(a.state) - order.indexOf(b.state) || (a.startMs ?? 0) - (b.startMs ?? 0),
  );
}

const scenarioRow = ({ kind, site, limit_pct, at, ends_at }: ScenarioFault): MalfunctionRow => ({
  id: `${at} ${site} ${kind}`,
  origin: "scenario",
  kind,
  site,
  limitPct: limit_pct ?? null,
  state: "planned",
  startMs: Date.parse(at),
  condition: null,
  endMs: ends_at === null ? null : Date.parse(ends_at),
});

function injectRow(inject: InjectRecord): MalfunctionRow {
  const { inject_id, kind, site, limit_pct, state, at, condition, duration, ended_at } = inject;
  const startMs = at === null ? null : Date.parse(at);
  const plannedEndMs = startMs === null || duration === null ? null : startMs + durationMs(duration);
  return {
    id: inject_id,
    origin: "inject",
    kind,
    site,
    limitPct: limit_pct ?? null,
    state,
    startMs,
    condition,
    endMs: ended_at === null ? plannedEndMs : Date.parse(ended_at),
  };
}

/** Length of an ISO 8601 duration of days, hours, minutes and seconds. */
export function durationMs(text: string): number {
  const match = /^P(?:(\d+(?:\.\d+)?)D)?(?:T(?:(\d+(?:\.\d+)?)H)?(?:(\d+(?:\.\d+)?)M)?(?:(\d+(?:\.\d+)?)S)?)?$/.exec(
    text,
  );
  if (match === null) return 0;
  const [days, hours, minutes, seconds] = match.slice(1).map((part) => Number(part ?? 0));
  return 1_000 * (86_400 * days + 3_600 * hours + 60 * minutes + seconds);
}
