import type { SandboxAction, SandboxRole } from "../../../live/session/sandboxTypes.ts";
import { mintedToken, sameSecret } from "../../../live/session/tokenSecrets.ts";

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

export const ALL_ACTIONS: readonly SandboxAction[] = [
  "clock",
  "weights",
  "immediate",
  "schedules",
  "owner_calls",
  "report",
  "export",
  "faults",
  "checkpoints",
];

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
export function roleOfToken(
  { sandboxToken, instructorToken, traineeToken, isSeparated }: SandboxAccess,
  token: string,
): SandboxRole | null {
  if (sameSecret(instructorToken, token)) return "instructor";
  if (sameSecret(traineeToken, token)) return "trainee";
  return sandboxToken !== null && !isSeparated && sameSecret(sandboxToken, token) ? "instructor" : null;
}

/** The role of callers who need no token; `null`: every caller needs one. */
export const roleWithoutToken = ({ sandboxToken, isSeparated }: SandboxAccess): SandboxRole | null =>
  sandboxToken !== null ? null : isSeparated ? "trainee" : "instructor";

/** What a role may do now. */
export const allowedActions = ({ traineeMay }: SandboxAccess, role: SandboxRole): readonly SandboxAction[] =>
  role === "instructor" ? ALL_ACTIONS : traineeMay();

/** Routes for every role; with an action, only for callers who may do it. All other routes are the instructor's. */
const SHARED_ROUTES: ReadonlyMap<string, SandboxAction | null> = new Map<string, SandboxAction | null>([
  ["GET /sandbox/session", null],
  ["GET /sandbox/clock", null],
  ["POST /sandbox/clock/advance", "clock"],
  ["POST /sandbox/clock/pause", "clock"],
  ["POST /sandbox/clock/resume", "clock"],
  ["GET /sandbox/credentials", null],
  ["GET /sandbox/vpps/:name/balance", null],
  ["GET /sandbox/vpps/:name/power", null],
  ["GET /sandbox/vpps/:name/members", null],
  ["POST /sandbox/vpps/:name/preview", null],
  ["GET /sandbox/awards/:id/story", null],
  ["GET /sandbox/events", null],
  ["POST /sandbox/actions", null],
  ["POST /sandbox/owner-calls", "owner_calls"],
  // Their handlers refuse a trainee before the end of the drill.
  ["GET /sandbox/grade", null],
  ["GET /sandbox/grade/progress", null],
  ["GET /sandbox/debriefing", null],
  ["POST /sandbox/report", "report"],
  ["GET /sandbox/report/latest/:file", "report"],
  ["POST /sandbox/export", "export"],
  ["GET /sandbox/state-hash", "export"],
]);

/**
 * Why a role may not call a route; `null`: it may. The answer depends on the route alone, never on what exists.
 *
 * @param route  method and path pattern; an unknown path is refused to no role, and is answered with 404
 */
export function roleRefusal(access: SandboxAccess, role: SandboxRole, route: string): string | null {
  if (role === "instructor" || route.endsWith(" /sandbox/*")) return null;
  const action = SHARED_ROUTES.get(route);
  if (action === undefined)
    return `${route} belongs to the instructor; send the instructor's token in the header X-Sandbox-Token`;
  if (action === null || allowedActions(access, role).includes(action)) return null;
  return `A trainee may not call ${route} in this session; send the instructor's token in the header X-Sandbox-Token`;
}
