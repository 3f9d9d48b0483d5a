import type { Drill } from "./drill.ts";
import type { AnsweredInput } from "./playDrill.ts";

/** An action in words, such as `weight of battery-large: 0`. */
export function actionText({ drill }: { readonly drill: Drill }, { input }: AnsweredInput): string {
  if (input.kind === "owner_call") return `call to the owner of ${input.site}`;
  if (input.kind !== "request") return input.kind;
  const { api, id, method, path, body } = input.request;
  const { sites, vpps } = drill.served.scenario.world;
  const named = path.replace(/[0-9a-f]{32}/g, (emsId) => sites.find((site) => site.emsId === emsId)?.name ?? emsId);
  const owner =
    api === "vpp-v1" ? vpps.find(({ vppId }) => vppId === id)?.name : sites.find(({ emsId }) => emsId === id)?.name;
  const fields = (body ?? {}) as Readonly<Record<string, unknown>>;
  const weight = fields.allocation_weight;
  if (weight !== undefined && path.startsWith("/members/"))
    return `weight of ${named.slice("/members/".length)}: ${weight}`;
  if (fields.type === "schedule")
    return `schedule ${fields.sku ?? "without product"} ${fields.delta_kw} kW, ${fields.start_time} to ${fields.end_time}`;
  if (fields.type === "immediate")
    return `immediate instruction ${fields.sku ?? "without product"} ${fields.delta_kw} kW for ${fields.duration_minutes} min`;
  return `${method} ${named} (${owner ?? id})`;
}
