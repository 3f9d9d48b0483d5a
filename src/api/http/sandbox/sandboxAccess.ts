import type { IncomingHttpHeaders } from "node:http";
import { SANDBOX_ACTIONS, type SandboxAction, type SandboxRole } from "../../../live/session/sandboxReads.ts";
import { mintedToken, sameSecret } from "../../../live/session/tokenSecrets.ts";
import { isLoopbackHost } from "../allowedHosts.ts";

/** Secrets of the sandbox, and what its trainee may do (docs/model/sandbox.md#roles). */
export interface SandboxAccess {
  /** `--sandbox-token`; `null`: only callers on the same machine have access. */
  readonly sandboxToken: string | null;
  readonly instructorToken: string;
  readonly traineeToken: string;
  /** Whether callers without the instructor's token are trainees. */
  readonly isSeparated: boolean;
  /** What the trainee may do now. */
  readonly traineeMay: () => readonly SandboxAction[];
}

interface AccessSettings {
  /** Key of the session, from which default tokens are derived. */
  readonly signingKey: string;
  readonly sandboxToken: string | null;
  /** `--instructor-token`, or `null`. */
  readonly instructorToken: string | null;
  /** Whether the session is separated without an instructor's token too, as a drill is. */
  readonly isSeparated?: boolean;
  readonly traineeMay?: () => readonly SandboxAction[];
}

/** What a trainee may do in addition to operating the VPPs, in a session that is not separated. */
const SHARED_ACTIONS: readonly SandboxAction[] = ["clock", "weights", "immediate", "schedules", "report", "export"];
const TRAINEE_ACTIONS: readonly SandboxAction[] = ["clock", "weights", "immediate", "schedules"];

/** Default tokens are the same after a restart with the same journal. */
export function createSandboxAccess(settings: AccessSettings): SandboxAccess {
  const { signingKey, sandboxToken, instructorToken, isSeparated = instructorToken !== null } = settings;
  const given = isSeparated ? sandboxToken : null;
  return {
    sandboxToken,
    instructorToken: instructorToken ?? mintedToken(signingKey, "instructor"),
    traineeToken: given ?? mintedToken(signingKey, "trainee"),
    isSeparated,
    traineeMay: settings.traineeMay ?? (() => (isSeparated ? TRAINEE_ACTIONS : SHARED_ACTIONS)),
  };
}

/** The role that a token stands for; `null`: none. */
function roleOfToken(
  { sandboxToken, instructorToken, traineeToken, isSeparated }: SandboxAccess,
  token: string,
): SandboxRole | null {
  if (sameSecret(instructorToken, token)) return "instructor";
  if (sameSecret(traineeToken, token)) return "trainee";
  return sandboxToken !== null && !isSeparated && sameSecret(sandboxToken, token) ? "instructor" : null;
}

/** The role of callers who need no token; `null`: every caller needs one. */
const roleWithoutToken = ({ sandboxToken, isSeparated }: SandboxAccess): SandboxRole | null =>
  sandboxToken !== null ? null : isSeparated ? "trainee" : "instructor";

/** Who may call a route: every role, every role that has the action or one of several, or the instructor alone. */
export type SandboxCallers = "everyone" | SandboxAction | readonly SandboxAction[] | "instructor";

/** What a role may do now. */
export const allowedActions = ({ traineeMay }: SandboxAccess, role: SandboxRole): readonly SandboxAction[] =>
  role === "instructor" ? SANDBOX_ACTIONS : traineeMay();

/**
 * Why a role may not call a route; `null`: it may. The answer depends on the route alone, never on what exists.
 *
 * @param route  method and path pattern
 */
export function roleRefusal(
  access: SandboxAccess,
  role: SandboxRole,
  route: string,
  callers: SandboxCallers,
): string | null {
  if (role === "instructor" || callers === "everyone") return null;
  if (callers === "instructor")
    return `${route} belongs to the instructor; send the instructor's token in the header X-Sandbox-Token`;
  const allowed = allowedActions(access, role);
  if ([callers].flat().some((action) => allowed.includes(action))) return null;
  return `A trainee may not call ${route} in this session; send the instructor's token in the header X-Sandbox-Token`;
}

/** Refusal of a sandbox call. */
interface GuardRefusal {
  readonly status: 401 | 403 | 415;
  readonly details: string;
}

interface SandboxCaller {
  readonly headers: IncomingHttpHeaders;
  readonly method: string;
  /** Remote address of the connection. */
  readonly address: string;
}

/**
 * Checks access to the sandbox (docs/model/sandbox.md#sandbox-access, docs/model/sandbox.md#credentials).
 *
 * The sandbox has no bearer token. Without `--sandbox-token` only callers on the same machine have access. Pages of
 * other sites are kept out: a browser does not send JSON across origins without permission, and the Origin header, or
 * the Host header of a rebound name, identifies them.
 *
 * @returns the role of the caller, or the refusal
 */
export function guardCaller(
  { headers, method, address }: SandboxCaller,
  access: SandboxAccess,
): SandboxRole | GuardRefusal {
  if (access.sandboxToken === null) {
    if (!isLoopback(address))
      return {
        status: 403,
        details: "The sandbox answers callers on its own machine only; serve with --sandbox-token to open it",
      };
    if (!isLoopbackHost(headers.host))
      return {
        status: 403,
        details: `Found the Host ${headers.host ?? "(none)"}, allowed 127.0.0.1, [::1] or localhost`,
      };
  }
  const token = headers["x-sandbox-token"];
  const role = token === undefined ? roleWithoutToken(access) : roleOfToken(access, String(token));
  if (role === null) return { status: 401, details: "The sandbox asks for its token in the header X-Sandbox-Token" };
  return originRefusal(headers, method) ?? role;
}

/** Whether a call of a method has a body. */
export const takesBody = (method: string): boolean => method === "POST" || method === "PUT";

function originRefusal(headers: IncomingHttpHeaders, method: string): GuardRefusal | null {
  const { origin, host } = headers;
  if (origin !== undefined && origin !== `http://${host}` && origin !== `https://${host}`)
    return { status: 403, details: `Found the Origin ${origin}, allowed that of the server itself` };
  if (takesBody(method) && !/^application\/json *(;|$)/i.test(headers["content-type"] ?? ""))
    return {
      status: 415,
      details: `Found the content type ${headers["content-type"] ?? "(none)"}, allowed application/json`,
    };
  return null;
}

const isLoopback = (address: string): boolean => /^(::ffff:)?127\.|^::1$/.test(address);
