import { Readable } from "node:stream";
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { LiveGrades } from "../../../live/drill/liveGrades.ts";
import type { SandboxRole } from "../../../live/session/sandboxTypes.ts";
import type { Session } from "../../../live/session/session.ts";
import { SessionRefusal } from "../../../live/session/sessionRefusal.ts";
import type { Checkpoint } from "../../../live/session/sessionState.ts";
import { wireTime } from "../../endpoints/shared/wireTime.ts";
import { pacedPieces } from "../reply.ts";
import { drillRoutes } from "./drillRoutes.ts";
import { personRoutes } from "./personRoutes.ts";
import { readRoutes } from "./readRoutes.ts";
import { reportRoutes } from "./reportRoutes.ts";
import { roleRefusal, type SandboxAccess } from "./sandboxAccess.ts";
import {
  readAdvanceTarget,
  readBody,
  readFault,
  readLabel,
  readRefreshToken,
  readSpeed,
  SANDBOX_MESSAGES,
} from "./sandboxBody.ts";
import { guardCaller } from "./sandboxGuard.ts";

interface SandboxOptions {
  readonly access: SandboxAccess;
  /** Folder of the session's report; `null`: no report. */
  readonly report: string | null;
  /** Absent: the session is no drill. */
  readonly grades?: LiveGrades;
}

/** The role of a caller of any path of the server; `null`: no access to the sandbox. */
export function sandboxRole(request: FastifyRequest, access: SandboxAccess): SandboxRole | null {
  const { headers, method, socket } = request;
  const found = guardCaller({ headers, method, address: socket.remoteAddress ?? "" }, access);
  return typeof found === "string" ? found : null;
}

/** Control of a session: clock, faults, checkpoints, reports (docs/model/sandbox.md). Register it without a prefix. */
export async function sandboxPlugin(
  server: FastifyInstance,
  { session, access, report, grades }: SandboxOptions & { readonly session: Session },
): Promise<void> {
  const refuse = (reply: FastifyReply, code: number, details: string, parameter: string | null = null): FastifyReply =>
    reply
      .code(code)
      .type("application/json; charset=utf-8")
      .send({
        error: {
          code,
          message: SANDBOX_MESSAGES[code] ?? "Error",
          details,
          ...(parameter === null ? {} : { parameter }),
        },
        timestamp: wireTime(session.nowMs),
      });

  const roles = new WeakMap<FastifyRequest, SandboxRole>();
  const roleOf = (request: FastifyRequest): SandboxRole => roles.get(request) ?? "trainee";
  server.addHook("onRequest", async (request, reply) => {
    const caller = { headers: request.headers, method: request.method, address: request.socket.remoteAddress ?? "" };
    const found = guardCaller(caller, access);
    if (typeof found !== "string") return refuse(reply, found.status, found.details);
    const refusal = roleRefusal(access, found, `${request.method} ${request.routeOptions.url ?? ""}`);
    if (refusal !== null) return refuse(reply, 403, refusal);
    roles.set(request, found);
  });
  // The last step before the handler, because further commands may act while a body arrives.
  server.addHook("preHandler", () => session.committed());
  server.setErrorHandler((error: FastifyError | SessionRefusal, request, reply) => {
    if (error instanceof SessionRefusal) return refuse(reply, error.status, error.message, error.parameter);
    const code = error.statusCode ?? 500;
    if (code < 500) return refuse(reply, code, error.message);
    request.log.error(error);
    return refuse(reply, 500, error.message);
  });
  readRoutes(server, { session, access, hasReport: report !== null, roleOf, drill: grades?.drill ?? null });
  drillRoutes(server, { session, grades: grades ?? null, roleOf });
  clockRoutes(server, session, roleOf);
  credentialRoutes(server, session);
  faultRoutes(server, session);
  checkpointRoutes(server, session);
  personRoutes(server, session);
  reportRoutes(server, session, report);
  outcomeRoutes(server, session);
  server.all("/sandbox/*", async (request, reply) =>
    refuse(reply, 404, `${request.method} ${request.url.split("?")[0]} is no endpoint of the sandbox`),
  );
}

function clockRoutes(
  server: FastifyInstance,
  session: Session,
  roleOf: (request: FastifyRequest) => SandboxRole,
): void {
  const { endMs } = session.scenario.world;
  server.get("/sandbox/clock", async () => session.clock());
  server.post("/sandbox/clock/advance", async (request) =>
    session.advance(readAdvanceTarget(request.body, endMs), roleOf(request)),
  );
  server.post("/sandbox/clock/pause", async (request) => {
    readBody([], request.body);
    return session.pause(roleOf(request));
  });
  server.post("/sandbox/clock/resume", async (request) => session.resume(readSpeed(request.body), roleOf(request)));
}

function credentialRoutes(server: FastifyInstance, session: Session): void {
  const of = (kind: "vpp" | "site", idKey: "vpp_id" | "ems_id") =>
    session.credentials
      .filter((credential) => credential.kind === kind)
      .map(({ name, id, refreshToken }) => ({ name, [idKey]: id, refresh_token: refreshToken }));
  server.get("/sandbox/credentials", async () => ({ vpps: of("vpp", "vpp_id"), sites: of("site", "ems_id") }));
  server.post("/sandbox/credentials/revoke", async ({ body }, reply) => {
    if (await session.revoke(readRefreshToken(body))) return reply.code(204).send();
    throw new SessionRefusal(404, "No VPP or site of this session has that refresh token", "refresh_token");
  });
}

interface IdRoute {
  readonly Params: { readonly id: string };
}

function faultRoutes(server: FastifyInstance, session: Session): void {
  const sites = session.scenario.world.sites.map(({ name }) => name);
  server.get("/sandbox/faults", async () => ({ faults: session.faults }));
  server.post("/sandbox/faults", async ({ body }) => session.beginFault(readFault(body, sites)));
  server.delete("/sandbox/faults/:id", async ({ params }: FastifyRequest<IdRoute>, reply) => {
    await session.endFault(params.id);
    return reply.code(204).send();
  });
}

function checkpointRoutes(server: FastifyInstance, session: Session): void {
  const record = ({ checkpointId, atMs, label }: Checkpoint) => ({
    checkpoint_id: checkpointId,
    at: wireTime(atMs),
    label,
  });
  server.get("/sandbox/checkpoints", async () => ({ checkpoints: session.checkpoints.map(record) }));
  server.post("/sandbox/checkpoints", async ({ body }) => record(await session.addCheckpoint(readLabel(body))));
  server.post("/sandbox/checkpoints/:id/restore", async ({ params, body }: FastifyRequest<IdRoute>) => {
    readBody([], body);
    return session.restore(params.id);
  });
  server.post("/sandbox/reset", async ({ body }) => {
    readBody([], body);
    return session.reset();
  });
}

function outcomeRoutes(server: FastifyInstance, session: Session): void {
  server.post("/sandbox/export", async ({ body }, reply) => {
    readBody([], body);
    return reply.type("application/yaml; charset=utf-8").send(Readable.from(pacedPieces(await session.openExport())));
  });
  server.get("/sandbox/state-hash", async () => {
    const hash = session.stateHash();
    return { now: wireTime(session.nowMs), hash };
  });
}
