import type { IncomingHttpHeaders } from "node:http";
import type { SandboxRole } from "../../../live/session/sandboxReads.ts";
import { isLoopbackHost } from "../allowedHosts.ts";
import { roleOfToken, roleWithoutToken, type SandboxAccess } from "./sandboxAccess.ts";

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

function originRefusal(headers: IncomingHttpHeaders, method: string): GuardRefusal | null {
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
