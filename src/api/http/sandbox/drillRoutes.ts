import type { FastifyInstance, FastifyRequest } from "fastify";
import { type Language, textIn } from "../../../base/language.ts";
import { isoUtc, MS_PER_MINUTE, MS_PER_SECOND } from "../../../base/time.ts";
import type { OwnerAnswer } from "../../../live/drill/drill.ts";
import type { GradeDocuments } from "../../../live/drill/gradeDocuments.ts";
import type { LiveGrades } from "../../../live/drill/liveGrades.ts";
import { type KnownNames, knownNames } from "../../../live/session/injects/checkInject.ts";
import { conditionText } from "../../../live/session/injects/conditionText.ts";
import type { Inject } from "../../../live/session/injects/inject.ts";
import { conditionConfig, isoDuration } from "../../../live/session/injects/injectConfig.ts";
import type { InjectRecord, SandboxRole } from "../../../live/session/sandboxTypes.ts";
import type { Session } from "../../../live/session/session.ts";
import { SessionRefusal } from "../../../live/session/sessionRefusal.ts";
import { wireTime } from "../../endpoints/shared/wireTime.ts";
import { pacedPieces } from "../reply.ts";
import { hasEnded, readLanguage } from "./drillView.ts";
import { readInject } from "./injectBody.ts";
import { readBody } from "./sandboxBody.ts";
import { readQuery } from "./sandboxQuery.ts";

interface DrillContext {
  readonly session: Session;
  /** `null`: the session is no drill. */
  readonly grades: LiveGrades | null;
  readonly roleOf: (request: FastifyRequest) => SandboxRole;
}

/** The owner's answer in a session without a drill. */
const DEFAULT_OWNER: OwnerAnswer = {
  delayMs: 20 * MS_PER_MINUTE,
  answer: { en: "Thank you for the call. We check the plant and put it back in order if anything is wrong." },
};

/** Injects, calls to owners, and the grade of a drill (docs/model/drills.md). */
export function drillRoutes(server: FastifyInstance, { session, grades, roleOf }: DrillContext): void {
  const sites = session.scenario.world.sites.map(({ name }) => name);
  const languageOf = ({ query }: FastifyRequest): Language => readLanguage(readQuery(["lang"], query).lang);
  server.get("/sandbox/injects", async () => ({ injects: session.injects.list.map(injectRecord) }));
  server.post("/sandbox/injects", async ({ body }) =>
    injectRecord(await session.injects.plan(readInject(body, namesOf(session)))),
  );
  server.delete("/sandbox/injects/:id", async ({ params }: FastifyRequest<{ Params: { id: string } }>, reply) => {
    await session.injects.cancel(params.id);
    return reply.code(204).send();
  });
  server.post("/sandbox/owner-calls", async (request) => {
    const { site } = readBody(["site"], request.body);
    if (typeof site !== "string" || !sites.includes(site))
      throw new SessionRefusal(
        400,
        `Found ${JSON.stringify(site ?? null)}, allowed a site: ${sites.join(", ")}`,
        "site",
      );
    const { delayMs, answer } = grades?.drill.ownerOf(site) ?? DEFAULT_OWNER;
    const { calledMs } = await session.injects.callOwner(site, delayMs);
    return { site, called_at: wireTime(calledMs), answer: textIn(answer, languageOf(request)) };
  });
  gradeRoutes(server, { session, grades, roleOf }, languageOf);
}

/** A trainee reads the grade from the end of the drill on. */
function gradeRoutes(
  server: FastifyInstance,
  { session, grades, roleOf }: DrillContext,
  languageOf: (request: FastifyRequest) => Language,
): void {
  const readExport = async (): Promise<Uint8Array> => {
    const pieces: Buffer[] = [];
    for await (const piece of pacedPieces(await session.openExport())) pieces.push(Buffer.from(piece));
    return Buffer.concat(pieces);
  };
  const requireEnded = (): void => {
    if (grades !== null && !hasEnded(grades.drill, session))
      throw new SessionRefusal(403, `The grade is open from the end of the drill on, ${isoUtc(grades.drill.endMs)}`);
  };
  /** For a trainee: while a grade is computed, the instructor may restore an instant before the end. */
  const readEndedExport = async (): Promise<Uint8Array> => {
    requireEnded();
    const exported = await readExport();
    requireEnded();
    return exported;
  };
  const gradesFor = (role: SandboxRole): LiveGrades => {
    if (grades === null) throw new SessionRefusal(409, "The session is no drill; serve one with vppsim drill serve");
    if (role === "trainee") requireEnded();
    return grades;
  };
  const graded = (request: FastifyRequest): Promise<GradeDocuments> => {
    const language = languageOf(request);
    const role = roleOf(request);
    return gradesFor(role).grade(role === "trainee" ? readEndedExport : readExport, language);
  };
  server.get("/sandbox/grade", async (request, reply) => {
    const { json } = await graded(request);
    return reply.type("application/json; charset=utf-8").send(json);
  });
  server.get("/sandbox/grade/progress", async (request) => {
    readQuery([], request.query);
    const { runs } = gradesFor(roleOf(request));
    return { is_computing: runs !== null, runs_done: runs?.done ?? 0, runs_expected: runs?.expected ?? 0 };
  });
  server.get("/sandbox/debriefing", async (request, reply) => {
    const { debriefing } = await graded(request);
    return reply
      .type("text/html; charset=utf-8")
      .header("content-security-policy", "sandbox allow-scripts")
      .send(debriefing);
  });
}

/** The names that an inject of the instructor may use, and its period. `at` is in whole seconds, as the clock is. */
function namesOf({ scenario: { world }, nowMs, hosted }: Session): KnownNames {
  const period = { startMs: Math.floor(nowMs / MS_PER_SECOND) * MS_PER_SECOND, endMs: world.endMs };
  const known = knownNames(world, { period, hasOwnerCalls: true });
  const received = hosted.world.vpps.flatMap((vpp) =>
    vpp.overlapping(nowMs, world.endMs).map(({ awardId }) => awardId),
  );
  return { ...known, awards: [...new Set([...known.awards, ...received])] };
}

function injectRecord({ injectId, spec, state, beganMs, endedMs }: Inject): InjectRecord {
  const { kind, site, at, when, duration, limit_pct, reason } = spec;
  const atMs = beganMs ?? at ?? null;
  return {
    inject_id: injectId,
    kind,
    site,
    ...(limit_pct === undefined ? {} : { limit_pct }),
    ...(reason === undefined ? {} : { reason }),
    at: atMs === null ? null : wireTime(atMs),
    when: when === undefined ? null : conditionText(when),
    condition: when === undefined ? null : conditionConfig(when),
    duration: duration === undefined ? null : isoDuration(duration),
    ended_at: endedMs === null ? null : wireTime(endedMs),
    state,
  };
}
