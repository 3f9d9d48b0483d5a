import type { AddressInfo } from "node:net";
import { buildServers, type ServerOptions } from "../../src/api/http/server.ts";
import type { ServedScenario } from "../../src/live/session/servedScenario.ts";
import type { Session } from "../../src/live/session/session.ts";
import type { SessionOptions } from "../../src/live/session/sessionOptions.ts";
import { openTinySession } from "../session/openTinySession.ts";

/** Two listening servers and their session. */
export interface LiveServer {
  readonly session: Session;
  readonly baseUrl: string;
  readonly authUrl: string;
  /** Id of a VPP or site, by its name in the scenario. */
  idOf(name: string): string;
  refreshTokenOf(name: string): string;
  /** The headers of a call with a new access token. */
  signIn(name: string): Promise<{ readonly authorization: string }>;
  close(): Promise<void>;
}

/** Serves a scenario (left out: the tiny one) on two free ports, paused at its start. */
export async function startLiveServer(
  face: Partial<ServerOptions> | ((session: Session) => Partial<ServerOptions>) = {},
  served?: ServedScenario,
  options: Partial<SessionOptions> = {},
): Promise<LiveServer> {
  const session = await openTinySession(options, served);
  const { base, auth } = buildServers(session, {
    tokenKey: session.signingKey,
    rateLimits: "on",
    logLevel: "silent",
    ...(typeof face === "function" ? face(session) : face),
  });
  await Promise.all([base.listen({ port: 0, host: "127.0.0.1" }), auth.listen({ port: 0, host: "127.0.0.1" })]);
  const urlOf = (address: AddressInfo | string | null) => `http://127.0.0.1:${(address as AddressInfo).port}`;
  const [baseUrl, authUrl] = [base, auth].map(({ server }) => urlOf(server.address()));
  const credential = (name: string) => session.credentials.find((entry) => entry.name === name)!;
  return {
    session,
    baseUrl,
    authUrl,
    idOf: (name) => credential(name).id,
    refreshTokenOf: (name) => credential(name).refreshToken,
    async signIn(name) {
      const headers = { authorization: `Bearer ${credential(name).refreshToken}` };
      const answer = await fetch(`${authUrl}/auth/refresh`, { method: "POST", headers });
      const { access_token } = (await answer.json()) as { readonly access_token: string };
      return { authorization: `Bearer ${access_token}` };
    },
    async close() {
      await Promise.all([base.close(), auth.close()]);
      await session.close();
    },
  };
}
