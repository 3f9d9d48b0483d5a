import type { ApiName, Method, Route } from "../endpoints/route.ts";

/** Path prefix of each API, before the id. */
export const PATH_PREFIXES: Readonly<Record<ApiName, string>> = {
  "vpp-v1": "/v1/vpp/",
  "site-v2": "/v2/ems/",
  "site-v1": "/v1/ems/",
};

/** Name of the id in the paths of each document. */
export const ID_NAMES: Readonly<Record<ApiName, string>> = {
  "vpp-v1": "vpp_id",
  "site-v2": "id",
  "site-v1": "ems_id",
};

/** Path of telemetry after the id, in the VPP API and the site API 2.2. */
export const TELEMETRY_PATH = "/telemetry";
/** Path of the token endpoint on the authentication host. */
export const REFRESH_PATH = "/auth/refresh";

const API_OF: Readonly<Record<string, ApiName>> = { "v1/vpp": "vpp-v1", "v2/ems": "site-v2", "v1/ems": "site-v1" };

/** Target of a call. The path alone selects the envelope of the answer, even for an otherwise invalid request. */
export interface RequestLocation {
  readonly api: ApiName;
  /** As in the path; not necessarily a valid id. */
  readonly id: string;
  /** The path after the id, such as `/status`. */
  readonly path: string;
}

/** Ids in refusals are truncated, so that an answer is never as long as its request. */
const ID_SHOWN_MAX = 64;

/** @param url  path and query as received */
export function locateRequest(url: string): RequestLocation | null {
  const found = /^\/(v1\/vpp|v2\/ems|v1\/ems)\/([^/?#]*)([^?#]*)/.exec(url);
  return found === null ? null : { api: API_OF[found[1]], id: found[2].slice(0, ID_SHOWN_MAX), path: found[3] };
}

/** A table's path in the router's notation: `/members/{ems_id}` becomes `/members/:ems_id`. */
export const routerPath = (api: ApiName, path: string): string =>
  `${PATH_PREFIXES[api]}:id${path.replaceAll(/\{(\w+)\}/g, ":$1")}`;

/** A table's path as in the description: `/status` becomes `/v1/vpp/{vpp_id}/status`. */
export const documentPath = (api: ApiName, path: string): string => `${PATH_PREFIXES[api]}{${ID_NAMES[api]}}${path}`;

/** Methods that a path supports. */
export function methodsAt(routes: readonly Route[], path: string): readonly Method[] {
  const fits = (pattern: string) => new RegExp(`^${pattern.replaceAll(/\{\w+\}/g, "[^/]+")}$`).test(path);
  return routes.filter((route) => fits(route.path)).map(({ method }) => method);
}

/**
 * URL of another port of this machine, under the name by which the caller reached it; `null` without a usable Host
 * header or without a listening port.
 */
export function siblingUrl(hostHeader: string | undefined, port: number | null): string | null {
  const name = /^(\[[0-9a-f:.]+\]|[a-z0-9.-]+)(:\d+)?$/i.exec(hostHeader ?? "")?.[1];
  return name === undefined || port === null ? null : `http://${name}:${port}`;
}
