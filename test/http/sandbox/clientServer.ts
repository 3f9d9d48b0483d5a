import { createSandboxAccess } from "../../../src/api/http/sandbox/sandboxAccess.ts";
import { sandboxPlugin } from "../../../src/api/http/sandbox/sandboxPlugin.ts";
import type { SessionOptions } from "../../../src/live/session/sessionOptions.ts";
import { calmServedScenario } from "../../session/tinyScenario.ts";
import { type LiveServer, startLiveServer } from "../liveServer.ts";

/** An answer as a test reads it; `null`: the connection ended without one. */
export interface ClientAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Record<string, unknown> & { readonly error: Record<string, unknown> };
}

/** A live server with its sandbox, and a client of its VPP. */
export interface ClientServer extends LiveServer {
  /** The headers of a call of the VPP API. */
  readonly token: { readonly authorization: string };
  /** A call of the sandbox; a body makes it a POST. */
  sandbox(path: string, body?: object, method?: string): Promise<ClientAnswer>;
  /** A call of the VPP API with an access token. */
  vpp(path: string, options?: RequestInit): Promise<ClientAnswer | null>;
  /** An immediate instruction of −20 kW. */
  command(key?: string): Promise<ClientAnswer | null>;
}

async function read(answer: Response): Promise<ClientAnswer> {
  const text = await answer.text();
  return { status: answer.status, headers: answer.headers, body: text === "" ? {} : JSON.parse(text) };
}

export async function startClientServer(
  options: Partial<SessionOptions> = {},
  instructorToken: string | null = null,
): Promise<ClientServer> {
  const live = await startLiveServer(
    (session) => ({
      plugins: [
        (server, _options, done) => {
          const access = createSandboxAccess({ signingKey: session.signingKey, sandboxToken: null, instructorToken });
          server.register(sandboxPlugin, { session, access, report: null });
          done();
        },
      ],
    }),
    calmServedScenario(),
    options,
  );
  const token = await live.signIn("east");
  const vpp: ClientServer["vpp"] = async (path, request = {}) => {
    const headers = { ...token, ...(request.headers as Record<string, string> | undefined) };
    const url = `${live.baseUrl}/v1/vpp/${live.idOf("east")}${path}`;
    const answer = await fetch(url, { ...request, headers }).catch(() => null);
    return answer === null ? null : read(answer);
  };
  return {
    ...live,
    token,
    sandbox: async (path, body, method = body === undefined ? "GET" : "POST") =>
      read(
        await fetch(`${live.baseUrl}/sandbox${path}`, {
          method,
          ...(body === undefined
            ? {}
            : { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
        }),
      ),
    vpp,
    command: (key) => {
      const member_baselines = ["battery-1", "battery-2", "plant"].map((name) => ({
        ems_id: live.idOf(name),
        baseline_kw: name === "plant" ? 300 : 0,
      }));
      const body = { type: "immediate", delta_kw: -20, duration_minutes: 10, member_baselines };
      const headers = { "content-type": "application/json", ...(key === undefined ? {} : { "idempotency-key": key }) };
      return vpp("/control/active_power", { method: "POST", headers, body: JSON.stringify(body) });
    },
  };
}
