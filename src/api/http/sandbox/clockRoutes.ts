import { formatValue } from "../../../base/inputError.ts";
import { type EpochMs, isoUtc, MS_PER_DAY } from "../../../base/time.ts";
import { sitesForFault } from "../../../engine/simulation/faultSites.ts";
import { allowedName } from "../../../inputs/scenario/parse/nearestName.ts";
import { parseDuration } from "../../../inputs/scenario/parse/readScalar.ts";
import { checkFaultKeys, FAULT_KINDS, type FaultKind } from "../../../inputs/scenario/schema/faultSchema.ts";
import { faultSpec } from "../../../live/session/fault.ts";
import {
  AdvanceRequest,
  CheckpointRecord,
  CheckpointRequest,
  ClockRecord,
  FaultRecord,
  FaultRequest,
  ResumeRequest,
  RevokeRequest,
  SandboxCheckpoints,
  SandboxCredentials,
  SandboxFaults,
} from "../../../live/session/sandboxCommands.ts";
import type { Session } from "../../../live/session/session.ts";
import { SessionRefusal, scenarioEnded } from "../../../live/session/sessionRefusal.ts";
import type { Checkpoint } from "../../../live/session/sessionState.ts";
import { floorToSecond, wireTime } from "../../endpoints/shared/wireTime.ts";
import { siblingUrl } from "../paths.ts";
import { type SandboxRoute, sandboxRoute } from "./sandboxRoute.ts";

/** Keys of the kinds that have some. */
const FAULT_EXAMPLES: Partial<Record<FaultKind, Partial<FaultRequest>>> = {
  output_control: { limit_pct: 40, reason: "non_firm_congestion" },
  derate: { limit_pct: 60, ramp_in: "PT5M", ramp_out: "PT5M" },
  sensor_offset: { sensor: "power", offset: 15 },
  sensor_stuck: { sensor: "power" },
  irradiance_shortfall: { limit_pct: 50 },
};

const CLOCK = { tag: "Clock", callers: "clock", answer: ClockRecord } as const;
const CREDENTIALS = { tag: "Credentials" } as const;
const FAULTS = { tag: "Faults", callers: "instructor" } as const;
const CHECKPOINTS = { tag: "Checkpoints", callers: "instructor" } as const;

/** Clock, credentials, faults and checkpoints (docs/model/sandbox.md). */
export const CLOCK_ROUTES: readonly SandboxRoute[] = [
  sandboxRoute({
    ...CLOCK,
    method: "GET",
    path: "/sandbox/clock",
    summary: "The clock",
    callers: "everyone",
    handle: ({ session }) => session.clock(),
  }),
  sandboxRoute({
    ...CLOCK,
    method: "POST",
    path: "/sandbox/clock/advance",
    summary: "Advance the paused clock; answered at the target",
    body: AdvanceRequest,
    bodyExamples: ({ target }) => ({ by: { by: "PT90S" }, to: { to: target } }),
    errors: [409, 503],
    handle: ({ session, body, role }) => session.advance(advanceTarget(body, session.scenario.world.endMs), role),
  }),
  sandboxRoute({
    ...CLOCK,
    method: "POST",
    path: "/sandbox/clock/pause",
    summary: "Pause the clock",
    handle: ({ session, role }) => session.pause(role),
  }),
  sandboxRoute({
    ...CLOCK,
    method: "POST",
    path: "/sandbox/clock/resume",
    summary: "Start the clock",
    body: ResumeRequest,
    bodyExamples: () => ({ speed: { speed: 60 } }),
    errors: [409],
    handle: ({ session, body, role }) => session.resume(body.speed, role),
  }),
  sandboxRoute({
    ...CREDENTIALS,
    method: "GET",
    path: "/sandbox/credentials",
    summary: "Ids and refresh tokens of all VPPs and sites, by name",
    callers: "everyone",
    answer: SandboxCredentials,
    handle: ({ session: { credentials }, sitePorts, reply }) => ({
      vpps: credentials
        .filter(({ kind }) => kind === "vpp")
        .map(({ name, id, refreshToken }) => ({ name, vpp_id: id, refresh_token: refreshToken })),
      sites: credentials
        .filter(({ kind }) => kind === "site")
        .map(({ name, id, refreshToken }) => {
          const baseUrl = siblingUrl(reply.request.headers.host, sitePorts?.portOf(id) ?? null);
          const record = { name, ems_id: id, refresh_token: refreshToken };
          return baseUrl === null ? record : { ...record, base_url: baseUrl };
        }),
    }),
  }),
  sandboxRoute({
    ...CREDENTIALS,
    method: "POST",
    path: "/sandbox/credentials/revoke",
    summary: "Revoke a refresh token and its access tokens",
    callers: "instructor",
    body: RevokeRequest,
    bodyExamples: ({ refreshToken }) => ({ token: { refresh_token: refreshToken } }),
    answer: null,
    errors: [404],
    handle: async ({ session, body }) => {
      if (!(await session.revoke(body.refresh_token)))
        throw new SessionRefusal(404, "No VPP or site of this session has that refresh token", "refresh_token");
    },
  }),
  sandboxRoute({
    ...FAULTS,
    method: "GET",
    path: "/sandbox/faults",
    summary: "Faults in force, including those of the scenario, oldest first",
    answer: SandboxFaults,
    handle: ({ session }) => ({ faults: session.faults }),
  }),
  sandboxRoute({
    ...FAULTS,
    method: "POST",
    path: "/sandbox/faults",
    summary: "Begin a fault",
    body: FaultRequest,
    bodyExamples: ({ faultSite }) =>
      Object.fromEntries(
        FAULT_KINDS.flatMap((kind) => {
          const site = faultSite(kind);
          return site === null ? [] : [[kind, { kind, site, duration: "PT30M", ...FAULT_EXAMPLES[kind] }]];
        }),
      ),
    answer: FaultRecord,
    checkBody: checkFaultKeys,
    handle: ({ session, body }) => {
      requireFaultSite(session, body);
      return session.beginFault(faultSpec(body, faultDurationMs(body.duration)));
    },
  }),
  sandboxRoute({
    ...FAULTS,
    method: "DELETE",
    path: "/sandbox/faults/{id}",
    summary: "End a fault now",
    pathExample: ({ faultId }) => faultId,
    answer: null,
    errors: [404],
    handle: ({ session, variables }) => session.endFault(variables.id),
  }),
  sandboxRoute({
    ...CHECKPOINTS,
    method: "GET",
    path: "/sandbox/checkpoints",
    summary: "Checkpoints in order",
    answer: SandboxCheckpoints,
    handle: ({ session }) => ({ checkpoints: session.checkpoints.map(checkpointRecord) }),
  }),
  sandboxRoute({
    ...CHECKPOINTS,
    method: "POST",
    path: "/sandbox/checkpoints",
    summary: "Mark this instant",
    body: CheckpointRequest,
    bodyExamples: () => ({ label: { label: "before the outage" } }),
    answer: CheckpointRecord,
    handle: async ({ session, body }) => checkpointRecord(await session.addCheckpoint(body.label ?? null)),
  }),
  sandboxRoute({
    ...CHECKPOINTS,
    method: "POST",
    path: "/sandbox/checkpoints/{id}/restore",
    summary: "Restore a checkpoint",
    pathExample: ({ checkpointId }) => checkpointId,
    answer: ClockRecord,
    errors: [404, 503],
    handle: ({ session, variables }) => session.restore(variables.id),
  }),
  sandboxRoute({
    ...CHECKPOINTS,
    method: "POST",
    path: "/sandbox/reset",
    summary: "Restore the opening instant",
    callers: "reset",
    answer: ClockRecord,
    errors: [503],
    handle: ({ session }) => session.reset(),
  }),
];

/** A hundred years: longer durations could exceed the range of dates. */
const DURATION_MAX_DAYS = 36_525;

/** Target of an advance, as a function of the present instant (docs/model/sandbox.md#advance). */
function advanceTarget(
  { by, to }: { readonly by?: string; readonly to?: EpochMs },
  endMs: EpochMs,
): (nowMs: EpochMs) => EpochMs {
  const byMs = by === undefined ? 0 : readDurationMs("by", by);
  return (nowMs) => {
    if (endMs <= nowMs) throw new SessionRefusal(409, scenarioEnded(endMs));
    const targetMs = to ?? nowMs + byMs;
    const limit = `an instant from now, ${isoUtc(floorToSecond(nowMs))}, to the scenario's end, ${isoUtc(endMs)}`;
    if (targetMs < floorToSecond(nowMs) || endMs < targetMs)
      throw new SessionRefusal(400, `Found ${isoUtc(targetMs)}, allowed ${limit}`, to === undefined ? "by" : "to");
    return Math.max(targetMs, nowMs);
  };
}

/** @throws SessionRefusal  400 for another text */
export function readDurationMs(parameter: string, value: string): number {
  const ms = /[YW]/.test(value) ? null : parseDuration(value);
  const refuse = (allowed: string) =>
    new SessionRefusal(400, `Found ${formatValue(value)}, allowed ${allowed}`, parameter);
  if (ms === null) throw refuse("an ISO 8601 duration of days, hours, minutes and seconds, such as PT90S or P1DT12H");
  if (DURATION_MAX_DAYS * MS_PER_DAY < ms) throw refuse(`a duration of at most P${DURATION_MAX_DAYS}D`);
  return ms;
}

function faultDurationMs(duration: string | null | undefined): number | null {
  if (duration === undefined || duration === null) return null;
  const ms = readDurationMs("duration", duration);
  if (ms > 0) return ms;
  const allowed = "a duration longer than nothing, or none: until it is ended";
  throw new SessionRefusal(400, `Found ${formatValue(duration)}, allowed ${allowed}`, "duration");
}

/** @throws SessionRefusal  400 for a name that no site of the scenario has */
export function requireSite({ scenario }: Session, site: string): void {
  requireName(
    "a site of the scenario",
    site,
    scenario.world.sites.map(({ name }) => name),
  );
}

/** @throws SessionRefusal  400 for a site that cannot have the fault, or is none */
function requireFaultSite({ scenario }: Session, fault: Pick<FaultRequest, "kind" | "site" | "sensor">): void {
  const { what, names } = sitesForFault(fault, scenario.world.sites);
  requireName(what, fault.site, names);
}

function requireName(what: string, site: string, names: readonly string[]): void {
  if (names.includes(site)) return;
  const allowed = allowedName(what, site, names);
  throw new SessionRefusal(400, `Found ${formatValue(site)}, allowed ${allowed}`, "site");
}

const checkpointRecord = ({ checkpointId, atMs, label }: Checkpoint): CheckpointRecord => ({
  checkpoint_id: checkpointId,
  at: wireTime(atMs),
  label,
});
