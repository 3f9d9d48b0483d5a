import type { ApiName, Route } from "./route.ts";
import { SITE_V1_ROUTES } from "./siteV1/routes.ts";
import { SITE_V2_ROUTES } from "./siteV2/routes.ts";
import { VPP_V1_ROUTES } from "./vppV1/routes.ts";

/** The endpoint tables of the three documents. */
export const ROUTES: Readonly<Record<ApiName, readonly Route[]>> = {
  "vpp-v1": VPP_V1_ROUTES,
  "site-v2": SITE_V2_ROUTES,
  "site-v1": SITE_V1_ROUTES,
};

/** A route, and the parts of a path that match its variable ones. */
export interface MatchedRoute {
  readonly route: Route;
  /** Values of the `{name}` parts of the path. */
  readonly variables: Readonly<Record<string, string>>;
}

/** The route of a call, if there is one. */
export function findRoute(api: ApiName, method: string, path: string): MatchedRoute | undefined {
  const exact = exactRoutes(api).get(`${method} ${path}`);
  if (exact !== undefined) return { route: exact, variables: {} };
  const segments = path.split("/");
  for (const route of ROUTES[api]) {
    const variables = route.method === method ? matchPath(route.path, segments) : null;
    if (variables !== null) return { route, variables };
  }
  return undefined;
}

const exactRoutesByApi = new Map<ApiName, ReadonlyMap<string, Route>>();

function exactRoutes(api: ApiName): ReadonlyMap<string, Route> {
  let found = exactRoutesByApi.get(api);
  if (found === undefined) {
    found = new Map(ROUTES[api].map((route) => [`${route.method} ${route.path}`, route]));
    exactRoutesByApi.set(api, found);
  }
  return found;
}

function matchPath(pattern: string, segments: readonly string[]): Record<string, string> | null {
  const patternSegments = pattern.split("/");
  if (patternSegments.length !== segments.length) return null;
  const variables: Record<string, string> = {};
  for (let k = 0; k < patternSegments.length; k++) {
    const name = /^\{(\w+)\}$/.exec(patternSegments[k])?.[1];
    if (name === undefined ? patternSegments[k] !== segments[k] : segments[k] === "") return null;
    if (name !== undefined) variables[name] = segments[k];
  }
  return variables;
}
