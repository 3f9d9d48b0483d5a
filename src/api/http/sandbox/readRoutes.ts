import type { FastifyInstance, FastifyRequest } from "fastify";
import { type EpochMs, MS_PER_DAY } from "../../../base/time.ts";
import type { Vpp } from "../../../engine/vpp/vpp.ts";
import type { Drill } from "../../../live/drill/drill.ts";
import type { HostedWorld } from "../../../live/session/hostedWorld.ts";
import { awardStory } from "../../../live/session/record/awardStory.ts";
import { type TrialShare, tryControl } from "../../../live/session/record/dispatchPreview.ts";
import type { ReaderView } from "../../../live/session/record/readerView.ts";
import type { SessionRecord } from "../../../live/session/record/sessionRecord.ts";
import type { SandboxRole } from "../../../live/session/sandboxTypes.ts";
import type { Session } from "../../../live/session/session.ts";
import { SessionRefusal } from "../../../live/session/sessionRefusal.ts";
import { drillView, readLanguage } from "./drillView.ts";
import { storyView } from "./reads/awardStory.ts";
import { dispatchPreview } from "./reads/dispatchPreview.ts";
import { sandboxEvents } from "./reads/sandboxEvents.ts";
import { sessionView } from "./reads/sessionView.ts";
import { vppBalance } from "./reads/vppBalance.ts";
import { vppMembers } from "./reads/vppMembers.ts";
import { vppPower } from "./reads/vppPower.ts";
import { allowedActions, type SandboxAccess } from "./sandboxAccess.ts";
import { readTrial } from "./sandboxBody.ts";
import { readCount, readInstantParameter, readQuery } from "./sandboxQuery.ts";

export interface ReadContext {
  readonly session: Session;
  readonly access: SandboxAccess;
  /** Whether `POST /sandbox/report` has a folder. */
  readonly hasReport: boolean;
  /** The role of the caller of a request that the guard has admitted. */
  readonly roleOf: (request: FastifyRequest) => SandboxRole;
  /** `null`: the session is no drill. */
  readonly drill: Drill | null;
}

interface AwardRoute {
  readonly Params: { readonly id: string };
}

interface VppRoute {
  readonly Params: { readonly name: string };
}

/** Number of points of a power series. */
const POINTS = { fallback: 1_000, min: 2, max: 5_000 };
/** Number of events in one answer. */
const EVENTS = { fallback: 500, min: 1, max: 2_000 };
/** Sequence number after which events are read. */
const SEQ = { fallback: 0, min: 0, max: Number.MAX_SAFE_INTEGER };

/** Reads of the session that the three APIs do not have (docs/model/sandbox.md#reads-of-the-sandbox). */
export function readRoutes(server: FastifyInstance, { session, access, hasReport, roleOf, drill }: ReadContext): void {
  server.get("/sandbox/session", async (request) => {
    const language = readLanguage(readQuery(["lang"], request.query).lang);
    const role = roleOf(request);
    const may = allowedActions(access, role);
    return sessionView(session, {
      role,
      separated: access.isSeparated,
      may,
      hasReport,
      drill: drill === null ? null : drillView(drill, session, language),
    });
  });
  /** A trainee reads only what an operator can notice (docs/model/sandbox.md#noticed). */
  const viewOf = (request: FastifyRequest): ReaderView => (roleOf(request) === "trainee" ? "noticed" : "everything");
  server.get("/sandbox/vpps/:name/balance", async (request: FastifyRequest<VppRoute>) => {
    readQuery([], request.query);
    const { hosted, record, vpp } = vppOf(session, request.params.name);
    return vppBalance(hosted, record, vpp, viewOf(request));
  });
  server.get("/sandbox/vpps/:name/members", async ({ params, query }: FastifyRequest<VppRoute>) => {
    readQuery([], query);
    const { hosted, record, vpp } = vppOf(session, params.name);
    return vppMembers(hosted, record, vpp);
  });
  server.get("/sandbox/vpps/:name/power", async (request: FastifyRequest<VppRoute>) => {
    const { hosted, record, vpp } = vppOf(session, request.params.name);
    return vppPower(hosted, record, vpp, { ...powerWindow(request.query, hosted), view: viewOf(request) });
  });
  server.post("/sandbox/vpps/:name/preview", async (request: FastifyRequest<VppRoute>) => {
    const { hosted, record, vpp } = vppOf(session, request.params.name);
    const trial = readTrial(request.body);
    const { world, copier } = hosted;
    record.notices.noticeThrough(world.nowMs);
    const view = viewOf(request);
    const isHidden = ({ cause, site }: TrialShare): boolean =>
      view === "noticed" && record.hiddenCauses.isHiddenFromTrial(cause, site, world.nowMs);
    return dispatchPreview(trial, tryControl(world, copier.copy(), vpp, trial), isHidden);
  });
  server.get("/sandbox/awards/:id/story", async (request: FastifyRequest<AwardRoute>) => {
    const { at } = readQuery(["at"], request.query);
    const { hosted, record } = recordOf(session);
    const { world } = hosted;
    const story = awardStory({ scenario: session.scenario, world, record }, request.params.id, viewOf(request));
    if (story === null) throw new SessionRefusal(404, `The VPPs have received no award ${request.params.id}`, "id");
    const limits = { minMs: world.spec.startMs, maxMs: world.spec.endMs };
    return storyView(story, at === undefined ? null : readInstantParameter("at", at, limits));
  });
  server.get("/sandbox/events", async (request) => {
    const query = readQuery(["after", "limit"], request.query);
    const { hosted, record } = recordOf(session);
    const page = { after: readCount("after", query.after, SEQ), limit: readCount("limit", query.limit, EVENTS) };
    return sandboxEvents(hosted, record, page);
  });
}

/** The present world and its record. */
export function recordOf(session: Session): { readonly hosted: HostedWorld; readonly record: SessionRecord } {
  const { hosted } = session;
  const { record } = hosted;
  if (record === null) throw new Error("the world of a session has a record");
  return { hosted, record };
}

/** @throws SessionRefusal  404 for another name */
export function vppOf(
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
  query: unknown,
  { world: { nowMs, spec } }: HostedWorld,
): { readonly fromMs: EpochMs; readonly toMs: EpochMs; readonly stepsMax: number } {
  const { from, to, max_points } = readQuery(["from", "to", "max_points"], query);
  const limits = { minMs: spec.startMs, maxMs: spec.endMs };
  const toMs = to === undefined ? Math.max(nowMs, spec.startMs + 1) : readInstantParameter("to", to, limits);
  const fromMs =
    from === undefined ? Math.max(spec.startMs, toMs - MS_PER_DAY) : readInstantParameter("from", from, limits);
  if (toMs <= fromMs) throw new SessionRefusal(400, `Found to at or before from, allowed a later instant`, "to");
  return { fromMs, toMs, stepsMax: readCount("max_points", max_points, POINTS) };
}
