import type { DashboardConfig, SandboxCredentials, SessionView } from "../../api/client/sandboxTypes.ts";
import { SandboxCalls, SandboxError } from "./sandboxCalls.ts";
import { Station, type StationKind } from "./station.ts";

/** Why a station does not take a token: it is none of the server's tokens, or that of the role that it names. */
export type TokenRefusal = "unknown" | StationKind;

/** What the start of the page came to. */
export type Boot =
  | { readonly kind: "ready"; readonly station: Station }
  /** The server asks for a token, or refuses the one that was entered; `null`: none was. */
  | { readonly kind: "token_needed"; readonly refusal: TokenRefusal | null }
  | { readonly kind: "failed"; readonly details: string };

export const stationKind = (path: string): StationKind => (path.startsWith("/instructor") ? "instructor" : "trainee");

const tokenKey = (kind: StationKind): string => `vppsim.token.${kind}`;

/** Keeps a token for this tab alone. */
export const keepToken = (kind: StationKind, token: string): void => sessionStorage.setItem(tokenKey(kind), token);

/** Reads configuration, session and credentials. */
export async function boot(kind: StationKind): Promise<Boot> {
  const entered = sessionStorage.getItem(tokenKey(kind));
  try {
    const { origin } = location;
    const config = await new SandboxCalls(origin, null).get<DashboardConfig>("/dashboard/config.json");
    const token = entered ?? (kind === "trainee" ? config.trainee_token : null);
    if (kind === "instructor" && token === null) return { kind: "token_needed", refusal: null };
    const calls = new SandboxCalls(origin, token);
    const [session, credentials] = await Promise.all([
      calls.get<SessionView>("/sandbox/session"),
      calls.get<SandboxCredentials>("/sandbox/credentials"),
    ]);
    // Who is not separated has both roles. An instructor at the trainee's page would see what no trainee knows.
    if (session.role !== kind && (kind === "instructor" || session.separated))
      return { kind: "token_needed", refusal: session.role };
    return { kind: "ready", station: new Station({ kind, config, calls, session, credentials }) };
  } catch (error) {
    if (error instanceof SandboxError && (error.status === 401 || error.status === 403))
      return { kind: "token_needed", refusal: entered === null ? null : "unknown" };
    return { kind: "failed", details: error instanceof Error ? error.message : String(error) };
  }
}
