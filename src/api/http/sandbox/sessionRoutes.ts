import { instant } from "../../../base/schemaBuilders.ts";
import { type EpochMs, isoUtc, MS_PER_DAY } from "../../../base/time.ts";
import type { WorldSpec } from "../../../engine/simulation/worldSpec.ts";
import type { Vpp } from "../../../engine/vpp/vpp.ts";
import type { HostedWorld } from "../../../live/session/hostedWorld.ts";
import { awardStory } from "../../../live/session/record/awardStory.ts";
import { tryControl } from "../../../live/session/record/dispatchPreview.ts";
import { forgetUnnoticed } from "../../../live/session/record/foreseenWorld.ts";
import type { ReaderView } from "../../../live/session/record/hiddenShortfall.ts";
import type { SessionRecord } from "../../../live/session/record/sessionRecord.ts";
import { LabelRequest } from "../../../live/session/sandboxCommands.ts";
import {
  AwardStory,
  DispatchPreview,
  PreviewRequest,
  SandboxEvents,
  type SandboxRole,
  SessionView,
  VppBalance,
  VppMembersView,
  VppPower,
} from "../../../live/session/sandboxReads.ts";
import type { Session } from "../../../live/session/session.ts";
import { SessionRefusal } from "../../../live/session/sessionRefusal.ts";
import { optional, record } from "../../endpoints/schemas/baseSchemas.ts";
import { drillView } from "./drillRoutes.ts";
import { storyView } from "./reads/awardStory.ts";
import { dispatchPreview } from "./reads/dispatchPreview.ts";
import { sandboxEvents } from "./reads/sandboxEvents.ts";
import { sessionView } from "./reads/sessionView.ts";
import { vppBalance } from "./reads/vppBalance.ts";
import { vppMembers } from "./reads/vppMembers.ts";
import { vppPower } from "./reads/vppPower.ts";
import { allowedActions } from "./sandboxAccess.ts";
import { count, languageQuery, page, type SandboxRoute, sandboxRoute } from "./sandboxRoute.ts";

const READ = { method: "GET", tag: "Session", callers: "everyone" } as const;
const VPP = { errors: [404], pathExample: ({ vpp }: { readonly vpp: string }) => vpp } as const;

/** Reads of the session that the three APIs do not have (docs/model/sandbox.md#reads-of-the-sandbox). */
export const SESSION_ROUTES: readonly SandboxRoute[] = [
  sandboxRoute({
    ...READ,
    path: "/sandbox/session",
    summary: "Role and permissions of the caller, scenario, VPPs and sites",
    query: languageQuery,
    answer: SessionView,
    handle: ({ session, access, role, query, grades, reports }) =>
      sessionView(session, {
        role,
        separated: access.isSeparated,
        may: allowedActions(access, role),
        hasReport: reports.folder !== null,
        drill: grades === null ? null : drillView(grades.drill, session, query.lang ?? "en"),
      }),
  }),
  sandboxRoute({
    ...READ,
    ...VPP,
    path: "/sandbox/vpps/{name}/balance",
    summary: "Requested, dispatched and delivered power of each award in force, and the missing power by cause",
    answer: VppBalance,
    handle: ({ session, variables, role }) => {
      const { hosted, record, vpp } = vppOf(session, variables.name);
      return vppBalance(hosted, record, vpp, viewOf(role));
    },
  }),
  sandboxRoute({
    ...READ,
    ...VPP,
    path: "/sandbox/vpps/{name}/power",
    summary: "Requested, delivered and uncovered power over time, as means over equal steps",
    query: record({
      from: optional(instant({ description: "Default: 24 hours before `to`" })),
      to: optional(instant({ description: "Default: now" })),
      max_points: count(2, 5_000, "Largest number of steps; default 1000"),
    }),
    answer: VppPower,
    handle: ({ session, variables, role, query }) => {
      const { hosted, record, vpp } = vppOf(session, variables.name);
      return vppPower(hosted, record, vpp, { ...powerWindow(query, hosted), view: viewOf(role) });
    },
  }),
  sandboxRoute({
    ...READ,
    ...VPP,
    path: "/sandbox/vpps/{name}/members",
    summary: "Each member as last received, with its weight and last dispatch, in order of registration",
    answer: VppMembersView,
    handle: ({ session, variables }) => {
      const { hosted, record, vpp } = vppOf(session, variables.name);
      return vppMembers(hosted, record, vpp);
    },
  }),
  sandboxRoute({
    ...READ,
    ...VPP,
    method: "POST",
    path: "/sandbox/vpps/{name}/preview",
    summary: "Effect of a schedule or an immediate instruction, without sending it",
    body: PreviewRequest,
    bodyExamples: ({ startsAt, endsAt }) => ({
      example: { sku: null, power_kw: -100, starts_at: startsAt, ends_at: endsAt },
    }),
    answer: DispatchPreview,
    handle: ({ session, variables, body }) => {
      const { hosted, record, vpp } = vppOf(session, variables.name);
      const { sku = null, power_kw: powerKw, starts_at: startMs, ends_at: endMs } = body;
      if (endMs <= startMs)
        throw new SessionRefusal(400, `Found ${isoUtc(endMs)}, allowed an instant after starts_at`, "ends_at");
      const trial = { sku, powerKw, startMs, endMs };
      const { world, copier } = hosted;
      record.notices.noticeThrough(world.nowMs);
      const copy = copier.copy();
      forgetUnnoticed(copy, record.notices);
      return dispatchPreview(trial, tryControl(world, copy, vpp, trial), record.names);
    },
  }),
  sandboxRoute({
    ...READ,
    path: "/sandbox/awards/{id}/story",
    summary: "History of an award until now, as vppsim explain describes it",
    pathExample: ({ awardId }) => awardId,
    query: record({ at: optional(instant({ description: "Last instant of `instants`" })) }),
    answer: AwardStory,
    errors: [404],
    handle: ({ session, variables, role, query: { at } }) => {
      const { hosted, record } = recordOf(session);
      const { world } = hosted;
      const story = awardStory({ scenario: session.scenario, world, record }, variables.id, viewOf(role));
      if (story === null) throw new SessionRefusal(404, `The VPPs have received no award ${variables.id}`, "id");
      if (at !== undefined) requireInPeriod("at", at, world.spec);
      return storyView(story, at ?? null, record.names);
    },
  }),
  sandboxRoute({
    ...READ,
    method: "POST",
    path: "/sandbox/awards/{award_id}/label",
    summary: "Give an award or instruction a name, or take it away",
    callers: ["schedules", "immediate"],
    pathExample: ({ awardId }) => awardId,
    body: LabelRequest,
    bodyExamples: () => ({ example: { label: "second call, without the factory" } }),
    answer: null,
    errors: [404],
    handle: ({ session, variables, body: { label } }) => session.labelAward(variables.award_id, label),
  }),
  sandboxRoute({
    ...READ,
    path: "/sandbox/events",
    summary: "Events of the session, oldest first, numbered without gaps",
    query: page,
    answer: SandboxEvents,
    handle: ({ session, query: { after = 0, limit = 500 } }) => {
      const { hosted, record } = recordOf(session);
      return sandboxEvents(hosted, record, { after, limit });
    },
  }),
];

/** A trainee reads only what an operator can notice (docs/model/sandbox.md#noticed). */
const viewOf = (role: SandboxRole): ReaderView => (role === "trainee" ? "noticed" : "everything");

/** The present world and its record. */
function recordOf(session: Session): { readonly hosted: HostedWorld; readonly record: SessionRecord } {
  const { hosted } = session;
  const { record } = hosted;
  if (record === null) throw new Error("the world of a session has a record");
  return { hosted, record };
}

/** @throws SessionRefusal  404 for another name */
function vppOf(
  session: Session,
  name: string,
): { readonly hosted: HostedWorld; readonly record: SessionRecord; readonly vpp: Vpp } {
  const { hosted, record } = recordOf(session);
  const vpp = hosted.world.vpps.find(({ spec }) => spec.name === name);
  if (vpp !== undefined) return { hosted, record, vpp };
  const names = hosted.world.vpps.map(({ spec }) => spec.name).join(", ");
  throw new SessionRefusal(404, `No VPP of the scenario is named ${JSON.stringify(name)}; it has ${names}`, "name");
}

/** The window of a power series; default: the last 24 hours, or less at the start of the run. */
function powerWindow(
  { from, to, max_points = 1_000 }: { readonly from?: EpochMs; readonly to?: EpochMs; readonly max_points?: number },
  { world: { nowMs, spec } }: HostedWorld,
): { readonly fromMs: EpochMs; readonly toMs: EpochMs; readonly stepsMax: number } {
  if (to !== undefined) requireInPeriod("to", to, spec);
  if (from !== undefined) requireInPeriod("from", from, spec);
  const toMs = to ?? Math.max(nowMs, spec.startMs + 1);
  const fromMs = from ?? Math.max(spec.startMs, toMs - MS_PER_DAY);
  if (toMs <= fromMs) throw new SessionRefusal(400, `Found to at or before from, allowed a later instant`, "to");
  return { fromMs, toMs, stepsMax: max_points };
}

function requireInPeriod(name: string, atMs: EpochMs, { startMs, endMs }: WorldSpec): void {
  if (startMs <= atMs && atMs <= endMs) return;
  const allowed = `an instant from ${isoUtc(startMs)} to ${isoUtc(endMs)}`;
  throw new SessionRefusal(400, `Found ${isoUtc(atMs)}, allowed ${allowed}`, name);
}
