import type { IncomingHttpHeaders } from "node:http";
import { sameSecret } from "../../session/tokenSecrets.ts";
import { isLoopbackHost } from "../allowedHosts.ts";

/** Refusal of a sandbox call. */
export interface GuardRefusal {
  readonly status: 401 | 403 | 415;
  readonly details: string;
}

export interface SandboxCaller {
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
 * @param token  value of `--sandbox-token`, or `null`
 */
export function guardRefusal({ headers, method, address }: SandboxCaller, token: string | null): GuardRefusal | null {
  if (token === null) {
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
  } else if (!sameSecret(token, String(headers["x-sandbox-token"] ?? "")))
    return { status: 401, details: "The sandbox asks for its token in the header X-Sandbox-Token" };
  const { origin, host } = headers;
  if (origin !== undefined && origin !== `http://${host}` && origin !== `https://${host}`)
    return { status: 403, details: `Found the Origin ${origin}, allowed that of the server itself` };
  if (method === "POST" && !/^application\/json *(;|$)/i.test(headers["content-type"] ?? ""))
    return {
      status: 415,
      details: `Found the content type ${headers["content-type"] ?? "(none)"}, allowed application/json`,
    };
  return null;
}

const isLoopback = (address: string): boolean => /^(::ffff:)?127\.|^::1$/.test(address);
