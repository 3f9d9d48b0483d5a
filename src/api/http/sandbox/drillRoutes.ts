import { type Language, textIn } from "../../../base/language.ts";
import { type EpochMs, isoDuration, isoUtc, MS_PER_MINUTE } from "../../../base/time.ts";
import { injectSchema } from "../../../inputs/scenario/schema/injectSchema.ts";
import type { Drill, OwnerAnswer } from "../../../live/drill/drill.ts";
import type { GradeDocuments } from "../../../live/drill/gradeDocuments.ts";
import { Grade, GradeProgress } from "../../../live/drill/gradeSchema.ts";
import type { LiveGrades } from "../../../live/drill/liveGrades.ts";
import { writtenKeys } from "../../../live/session/fault.ts";
import { checkInject, type KnownNames, knownNames } from "../../../live/session/injects/checkInject.ts";
import { conditionConfig, conditionText, type Inject } from "../../../live/session/injects/inject.ts";
import { InjectRecord, OwnerCall, OwnerCallRequest, SandboxInjects } from "../../../live/session/sandboxCommands.ts";
import type { DrillView, SandboxRole } from "../../../live/session/sandboxReads.ts";
import type { Session } from "../../../live/session/session.ts";
import { SessionRefusal } from "../../../live/session/sessionRefusal.ts";
import { record } from "../../endpoints/schemas/baseSchemas.ts";
import { floorToSecond, wireTime, wireTimeOrNull } from "../../endpoints/shared/wireTime.ts";
import { JSON_TYPE, pacedPieces } from "../reply.ts";
import { requireSite } from "./clockRoutes.ts";
import { languageQuery, type SandboxContext, type SandboxRoute, sandboxRoute, TEXT } from "./sandboxRoute.ts";

const DRILL = { tag: "Drills" } as const;
/** Its handler refuses a trainee before the end of the drill. */
const GRADE = { ...DRILL, method: "GET", callers: "everyone", errors: [409] } as const;

/** Injects, calls to owners, and the grade of a drill (docs/model/drills.md). */
export const DRILL_ROUTES: readonly SandboxRoute[] = [
  sandboxRoute({
    ...DRILL,
    method: "GET",
    path: "/sandbox/injects",
    summary: "Planned malfunctions in the order in which they were planned, and the faults of the scenario",
    callers: "instructor",
    answer: SandboxInjects,
    handle: ({ session }) => ({
      injects: session.injects.list.map(injectRecord),
      scenario_faults: session.hosted.scenarioFaults,
    }),
  }),
  sandboxRoute({
    ...DRILL,
    method: "POST",
    path: "/sandbox/injects",
    summary: "Plan a malfunction, at an instant or when a condition holds; without both it begins now",
    callers: "instructor",
    body: injectSchema,
    // `at` is in whole seconds, as the clock is.
    checkBody: (checker, inject, session) =>
      checkInject(checker, inject, namesFrom(session, floorToSecond(session.nowMs))),
    bodyExamples: ({ site, target }) => ({
      now: { kind: "warning", site, duration: "PT10M" },
      at: { kind: "outage", site, at: target, duration: "PT30M" },
      when: {
        kind: "link_down",
        site,
        when: { delivered_share_pct: { above: 95 }, for: "PT5M" },
        duration: "PT15M",
      },
    }),
    answer: InjectRecord,
    handle: async ({ session, body }) => injectRecord(await session.injects.plan(body)),
  }),
  sandboxRoute({
    ...DRILL,
    method: "DELETE",
    path: "/sandbox/injects/{id}",
    summary: "Cancel a planned inject, or end the fault of one in force",
    callers: "instructor",
    pathExample: ({ injectId }) => injectId,
    answer: null,
    errors: [404, 409],
    handle: ({ session, variables }) => session.injects.cancel(variables.id),
  }),
  sandboxRoute({
    ...DRILL,
    method: "POST",
    path: "/sandbox/owner-calls",
    summary: "Call the owner of a site, who ends its faults after a time",
    callers: "owner_calls",
    query: languageQuery,
    body: OwnerCallRequest,
    bodyExamples: ({ site }) => ({ call: { site } }),
    answer: OwnerCall,
    handle: async ({ session, grades, body: { site }, query: { lang = "en" } }) => {
      requireSite(session, site);
      const { delayMs, answer } = grades?.drill.ownerOf(site) ?? DEFAULT_OWNER;
      const { calledMs } = await session.injects.callOwner(site, delayMs);
      return { site, called_at: wireTime(calledMs), answer: textIn(answer, lang) };
    },
  }),
  sandboxRoute({
    ...GRADE,
    path: "/sandbox/grade",
    summary: "The grade of a drill without further actions; for a trainee, available from the end of the drill",
    query: languageQuery,
    answer: { files: { "application/json": { schema: Grade } } },
    handle: async ({ reply, query: { lang = "en" }, ...reader }) => {
      reply.type(JSON_TYPE);
      return (await graded(reader, lang)).json;
    },
  }),
  sandboxRoute({
    ...GRADE,
    path: "/sandbox/grade/progress",
    summary: "Progress of the grade or debriefing being computed; available to readers of the grade",
    query: record({}),
    answer: GradeProgress,
    handle: (call) => {
      const { runs } = gradesFor(call);
      return { is_computing: runs !== null, runs_done: runs?.done ?? 0, runs_expected: runs?.expected ?? 0 };
    },
  }),
  sandboxRoute({
    ...GRADE,
    path: "/sandbox/debriefing",
    summary: "The debriefing of a drill without further actions; for a trainee, available from the end of the drill",
    query: languageQuery,
    answer: { files: { "text/html": TEXT } },
    handle: async ({ reply, query: { lang = "en" }, ...reader }) => {
      reply.type("text/html; charset=utf-8").header("content-security-policy", "sandbox allow-scripts");
      return (await graded(reader, lang)).debriefing;
    },
  }),
];

/** The owner's answer in a session without a drill. */
const DEFAULT_OWNER: OwnerAnswer = {
  delayMs: 20 * MS_PER_MINUTE,
  answer: { en: "Thank you for the call. We check the plant and put it back in order if anything is wrong." },
};

type Reader = Pick<SandboxContext, "session" | "grades" | "gradeReads"> & { readonly role: SandboxRole };

/** @throws SessionRefusal  409 without a drill, 403 for a trainee before its end */
function gradesFor({ session, grades, role }: Reader): LiveGrades {
  if (grades === null) throw new SessionRefusal(409, "The session is no drill; serve one with vppsim drill serve");
  if (role === "trainee") requireEnded(grades.drill, session);
  return grades;
}

function requireEnded(drill: Drill, session: Session): void {
  if (!hasEnded(drill, session))
    throw new SessionRefusal(403, `The grade is open from the end of the drill on, ${isoUtc(drill.endMs)}`);
}

const graded = (reader: Reader, lang: Language): Promise<GradeDocuments> =>
  gradesFor(reader).grade(reader.gradeReads[reader.role], lang);

/** How a role reads the session for a grade: the same function each time, because calls that wait share the grade. */
export function gradeReadsOf(session: Session, grades: LiveGrades | null): SandboxContext["gradeReads"] {
  const readExport = async (): Promise<Uint8Array> => {
    const pieces: Buffer[] = [];
    for await (const piece of pacedPieces(await session.openExport())) pieces.push(Buffer.from(piece));
    return Buffer.concat(pieces);
  };
  /** While a grade is computed, the instructor may restore an instant before the end. */
  const readEndedExport = async (): Promise<Uint8Array> => {
    if (grades !== null) requireEnded(grades.drill, session);
    const exported = await readExport();
    if (grades !== null) requireEnded(grades.drill, session);
    return exported;
  };
  return { trainee: readEndedExport, instructor: readExport };
}

/** A drill as its trainee sees it: without injects. */
export function drillView(drill: Drill, session: Session, lang: Language): DrillView {
  const { steps } = session.injects;
  return {
    name: drill.name,
    title: textIn(drill.title, lang),
    briefing: textIn(drill.briefing, lang),
    goals: drill.goals.map(({ measure, text }) => ({ name: measure, text: textIn(text, lang) })),
    uncovered_above_pct: drill.uncoveredAbovePct,
    steps: drill.steps.map(({ text, fromMs, untilMs }, k) => ({
      text: textIn(text, lang),
      is_done: steps[k].state === "done",
      state: steps[k].state,
      done_at: wireTimeOrNull(steps[k].doneMs),
      from: wireTimeOrNull(fromMs),
      until: wireTimeOrNull(untilMs),
    })),
    ends_at: isoUtc(drill.endMs),
    has_ended: hasEnded(drill, session),
  };
}

const hasEnded = ({ endMs }: Drill, session: Session): boolean => endMs <= session.nowMs;

/** The names that an inject of the instructor may use. @param startMs  of the period in which its instants lie */
export function namesFrom({ scenario: { world }, nowMs, hosted }: Session, startMs: EpochMs): KnownNames {
  const period = { startMs, endMs: world.endMs };
  const known = knownNames(world, { period, hasOwnerCalls: true });
  const received = hosted.world.vpps.flatMap((vpp) =>
    vpp.overlapping(nowMs, world.endMs).map(({ awardId }) => awardId),
  );
  return { ...known, awards: [...new Set([...known.awards, ...received])] };
}

function injectRecord({ injectId, spec, source, state, beganMs, endedMs }: Inject): InjectRecord {
  const { kind, site, at, when, duration, ...keys } = spec;
  const atMs = beganMs ?? at ?? null;
  return {
    inject_id: injectId,
    source,
    kind,
    site,
    ...writtenKeys(keys),
    at: wireTimeOrNull(atMs),
    when: when === undefined ? null : conditionText(when),
    condition: when === undefined ? null : conditionConfig(when),
    duration: duration === undefined ? null : isoDuration(duration),
    ended_at: wireTimeOrNull(endedMs),
    state,
  };
}
