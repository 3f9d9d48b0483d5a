import type { ApiName, Method, Route } from "../endpoints/route.ts";

/** What each API's paths begin with, before the id. */
export const PATH_PREFIXES: Readonly<Record<ApiName, string>> = {
  "vpp-v1": "/v1/vpp/",
  "site-v2": "/v2/ems/",
  "site-v1": "/v1/ems/",
};

const API_OF: Readonly<Record<string, ApiName>> = { "v1/vpp": "vpp-v1", "v2/ems": "site-v2", "v1/ems": "site-v1" };

/** Where a call goes: the envelope of every answer is that of the path, whatever else is wrong with it. */
export interface RequestLocation {
  readonly api: ApiName;
  /** As it stands in the path; need not be an id. */
  readonly id: string;
  /** The rest, such as `/status`. */
  readonly path: string;
}

/** Ids in answers to nonsense are cut, so that an error is never as long as what caused it. */
const ID_SHOWN_MAX = 64;

/** @param url  path and query as they came */
export function locateRequest(url: string): RequestLocation | null {
  const found = /^\/(v1\/vpp|v2\/ems|v1\/ems)\/([^/?#]*)([^?#]*)/.exec(url);
  return found === null ? null : { api: API_OF[found[1]], id: found[2].slice(0, ID_SHOWN_MAX), path: found[3] };
}

/** A path of the tables in the router's notation: `/members/{ems_id}` becomes `/members/:ems_id`. */
export const routerPath = (api: ApiName, path: string): string =>
  `${PATH_PREFIXES[api]}:id${path.replaceAll(/\{(\w+)\}/g, ":$1")}`;

/** The methods that a path takes, for those who tried another one. */
export function methodsAt(routes: readonly Route[], path: string): readonly Method[] {
  const fits = (pattern: string) => new RegExp(`^${pattern.replaceAll(/\{\w+\}/g, "[^/]+")}$`).test(path);
  return routes.filter((route) => fits(route.path)).map(({ method }) => method);
}
