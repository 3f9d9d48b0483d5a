import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { LiveGrades } from "../../../live/drill/liveGrades.ts";
import type { SandboxErrorBody, SandboxRole } from "../../../live/session/sandboxReads.ts";
import type { Session } from "../../../live/session/session.ts";
import { SessionRefusal } from "../../../live/session/sessionRefusal.ts";
import { wireTime } from "../../endpoints/shared/wireTime.ts";
import { JSON_TYPE } from "../reply.ts";
import type { SitePorts } from "../sitePorts.ts";
import { ALARM_ROUTES } from "./alarmRoutes.ts";
import { CLIENT_ROUTES } from "./clientRoutes.ts";
import { CLOCK_ROUTES } from "./clockRoutes.ts";
import { DRILL_ROUTES, gradeReadsOf } from "./drillRoutes.ts";
import { INITIAL_CONDITION_ROUTES } from "./initialConditionRoutes.ts";
import { PREPARED_ROUTES } from "./preparedRoutes.ts";
import { RESULT_ROUTES, TRAINING_ROUTES } from "./resultRoutes.ts";
import { guardCaller, roleRefusal, type SandboxAccess, takesBody } from "./sandboxAccess.ts";
import { readBody, readQuery, type SandboxContext, type SandboxRoute } from "./sandboxRoute.ts";
import { SESSION_ROUTES } from "./sessionRoutes.ts";

/** The route table of the sandbox. */
export const SANDBOX_ROUTES: readonly SandboxRoute[] = [
  ...SESSION_ROUTES,
  ...ALARM_ROUTES,
  ...TRAINING_ROUTES,
  ...DRILL_ROUTES,
  ...PREPARED_ROUTES,
  ...CLOCK_ROUTES,
  ...INITIAL_CONDITION_ROUTES,
  ...CLIENT_ROUTES,
  ...RESULT_ROUTES,
];

/** Message of each error status. */
export const SANDBOX_MESSAGES: Readonly<Record<number, string>> = {
  400: "Bad request",
  401: "Sandbox token missing or wrong",
  403: "Forbidden",
  404: "Not found",
  409: "Conflict",
  413: "Payload too large",
  415: "Unsupported media type",
  500: "Internal error",
  503: "Service unavailable",
};

interface SandboxOptions {
  readonly session: Session;
  readonly access: SandboxAccess;
  /** Folder of the session's report; `null`: no report. */
  readonly report: string | null;
  readonly sitePorts?: SitePorts | null;
  /** Absent: the session is no drill. */
  readonly grades?: LiveGrades | null;
}

/** The role of a caller of any path of the server; `null`: no access to the sandbox. */
export function sandboxRole(request: FastifyRequest, access: SandboxAccess): SandboxRole | null {
  const found = guardCaller(callerOf(request), access);
  return typeof found === "string" ? found : null;
}

const callerOf = ({ headers, method, socket }: FastifyRequest) => ({
  headers,
  method,
  address: socket.remoteAddress ?? "",
});

/** Control of a session: clock, faults, checkpoints, reports (docs/model/sandbox.md). Register it without a prefix. */
export async function sandboxPlugin(
  server: FastifyInstance,
  { session, access, report, sitePorts = null, grades = null }: SandboxOptions,
): Promise<void> {
  const refuse = (
    reply: FastifyReply,
    code: number,
    details: string,
    parameter: string | null = null,
  ): FastifyReply => {
    const message = SANDBOX_MESSAGES[code] ?? "Error";
    const error = { code, message, details, ...(parameter === null ? {} : { parameter }) };
    const body: SandboxErrorBody = { error, timestamp: wireTime(session.nowMs) };
    return reply.code(code).type(JSON_TYPE).send(body);
  };
  const roles = new WeakMap<FastifyRequest, SandboxRole>();
  const roleOf = (request: FastifyRequest): SandboxRole => roles.get(request) ?? "trainee";
  server.addHook("onRequest", async (request, reply) => {
    const found = guardCaller(callerOf(request), access);
    if (typeof found !== "string") return refuse(reply, found.status, found.details);
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
  const reports = { folder: report, latest: null };
  const gradeReads = gradeReadsOf(session, grades);
  const context: SandboxContext = { session, access, reports, sitePorts, grades, gradeReads };
  for (const route of SANDBOX_ROUTES) {
    const { method, path, callers, answer } = route;
    const url = path.replaceAll(/\{(\w+)\}/g, ":$1");
    server.route({
      method,
      url,
      onRequest: async (request, reply) => {
        const refusal = roleRefusal(access, roleOf(request), `${method} ${url}`, callers);
        if (refusal !== null) return refuse(reply, 403, refusal);
      },
      handler: async (request, reply) => {
        const query = readQuery(route, request.query);
        const body = takesBody(method) ? readBody(route, request.body, session) : {};
        const variables = request.params as Readonly<Record<string, string>>;
        const result = await route.handle({ ...context, role: roleOf(request), body, query, variables, reply });
        return answer === null ? reply.code(204).send() : result;
      },
    });
  }
  server.all("/sandbox/*", async (request, reply) =>
    refuse(reply, 404, `${request.method} ${request.url.split("?")[0]} is no endpoint of the sandbox`),
  );
}
