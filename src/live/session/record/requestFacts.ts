import type { ApiRequest } from "../../../api/endpoints/route.ts";
import { findRoute } from "../../../api/endpoints/routes.ts";
import type { WorldSpec } from "../../../engine/simulation/worldSpec.ts";

/** What a command of one of the three APIs does. */
type RequestAct =
  | "weight"
  | "member_added"
  | "member_changed"
  | "member_removed"
  | "schedule"
  | "immediate"
  | "schedule_deleted"
  | "baseline"
  | "fcr_config"
  | "call";

/** A command with names in place of ids, for texts about it. */
interface RequestFacts {
  readonly act: RequestAct;
  /** `VPP <name>`, or the name of a site. */
  readonly target: string;
  /** Name of the site that joins, changes or leaves the VPP; absent: another command. */
  readonly member?: string;
  /** Those of `SHOWN_FIELDS` that the body has. */
  readonly values: Readonly<Record<string, string | number>>;
}

/** Fields of a request's body that texts show; the others, such as the baselines, are long. */
const SHOWN_FIELDS = [
  "allocation_weight",
  "type",
  "sku",
  "delta_kw",
  "fcr_response_kw",
  "duration_minutes",
  "start_time",
  "end_time",
];

/** The values of these fields, as far as the body has them as texts or numbers. */
function shownValues(body: unknown): RequestFacts["values"] {
  const fields = (body ?? {}) as Readonly<Record<string, unknown>>;
  const values = SHOWN_FIELDS.map((name) => [name, fields[name]] as const);
  return Object.fromEntries(
    values.filter((value): value is readonly [string, string | number] => /^(string|number)$/.test(typeof value[1])),
  );
}

/** A request with the fields of its body that `requestFacts` reads. */
export const shortRequest = (request: ApiRequest): ApiRequest => {
  const { ems_id } = (request.body ?? {}) as { readonly ems_id?: unknown };
  return { ...request, body: { ...shownValues(request.body), ...(typeof ems_id === "string" ? { ems_id } : {}) } };
};

export function requestFacts({ vpps, sites }: Pick<WorldSpec, "vpps" | "sites">, request: ApiRequest): RequestFacts {
  const { api, id, method, path, body } = request;
  const siteOf = (emsId: string): string => sites.find((site) => site.emsId === emsId)?.name ?? emsId;
  const target = api === "vpp-v1" ? `VPP ${vpps.find(({ vppId }) => vppId === id)?.name ?? id}` : siteOf(id);
  const values = shownValues(body);
  const variable = findRoute(api, method, path)?.variables.ems_id;
  const joining = path === "/members" ? (body as { readonly ems_id?: unknown } | undefined)?.ems_id : undefined;
  const member = variable ?? (typeof joining === "string" ? joining : undefined);
  return {
    act: actOf(request, member ?? null, values),
    target,
    ...(member === undefined ? {} : { member: siteOf(member) }),
    values,
  };
}

function actOf({ method, path }: ApiRequest, member: string | null, values: RequestFacts["values"]): RequestAct {
  if (member !== null) {
    if (method === "DELETE") return "member_removed";
    if (path === "/members") return "member_added";
    return values.allocation_weight === undefined ? "member_changed" : "weight";
  }
  if (values.type === "schedule" || values.type === "immediate") return values.type;
  if (method === "DELETE" && path.endsWith("/schedules")) return "schedule_deleted";
  if (path === "/baseline") return "baseline";
  return path === "/fcr/config" ? "fcr_config" : "call";
}

/** What it does, in English, such as `battery-small: weight set to 20`. */
export function requestText({ act, target, member, values }: RequestFacts, { method, path }: PathOfRequest): string {
  const product = typeof values.sku === "string" ? `${values.sku.toUpperCase()} ` : "";
  const power = `${product}${values.delta_kw ?? values.fcr_response_kw ?? 0} kW`;
  switch (act) {
    case "weight":
      return `${member}: weight set to ${values.allocation_weight}`;
    case "member_added":
      return `${member}: added to ${target}`;
    case "member_changed":
      return `${member}: membership in ${target} changed`;
    case "member_removed":
      return `${member}: removed from ${target}`;
    case "schedule":
      return `${target}: schedule of ${power} from ${values.start_time} to ${values.end_time}`;
    case "immediate":
      return `${target}: immediate instruction of ${power} for ${values.duration_minutes} min`;
    case "schedule_deleted":
      return `${target}: schedule deleted`;
    case "baseline":
      return `${target}: baseline registered`;
    case "fcr_config":
      return `${target}: FCR configuration set`;
    case "call":
      return `${target}: ${method} ${path}`;
  }
}

type PathOfRequest = Pick<ApiRequest, "method" | "path">;
