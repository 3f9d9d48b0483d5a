import { findRoute } from "../../api/endpoints/routes.ts";
import { type Language, type LocalText, textIn } from "../../base/language.ts";
import { formatFixed } from "../../report/html/page/format.ts";
import type { Drill } from "./drill.ts";
import type { AnsweredInput } from "./runDrill.ts";

export const SCHEDULE: LocalText = { en: "schedule", ja: "スケジュール" };
export const IMMEDIATE: LocalText = { en: "immediate instruction", ja: "即時指令" };

/** Product and power of an instruction, such as `FRR −900.0 kW`. */
export function requestText(sku: unknown, kw: number, language: Language): string {
  const product =
    typeof sku === "string" ? sku.toUpperCase() : textIn({ en: "without product", ja: "商品なし" }, language);
  return `${product} ${formatFixed(kw, 1)} kW`;
}

/** The text of an action, such as `weight of battery-large: 0`. */
export function actionText(
  { drill }: { readonly drill: Drill },
  { input }: AnsweredInput,
  language: Language = "en",
): string {
  const local = (en: string, ja: string): string => (language === "ja" ? ja : en);
  if (input.kind === "owner_call") return local(`call to the owner of ${input.site}`, `${input.site} の所有者に連絡`);
  if (input.kind !== "request") return input.kind;
  const { api, id, method, path, body } = input.request;
  const { sites, vpps } = drill.served.scenario.world;
  const nameOf = (emsId: string): string => sites.find((site) => site.emsId === emsId)?.name ?? emsId;
  const shownPath = path.replace(/[0-9a-f]{32}/g, nameOf);
  const owner = api === "vpp-v1" ? (vpps.find(({ vppId }) => vppId === id)?.name ?? id) : nameOf(id);
  const fields = (body ?? {}) as Readonly<Record<string, unknown>>;
  const weight = fields.allocation_weight;
  const member = findRoute(api, method, path)?.variables.ems_id;
  if (weight !== undefined && member !== undefined)
    return local(`weight of ${nameOf(member)}: ${weight}`, `${nameOf(member)} の配分比：${weight}`);
  const { start_time: start, end_time: end, duration_minutes: minutes } = fields;
  // A schedule of frequency response alone has no delta.
  const request = requestText(fields.sku, Number(fields.delta_kw ?? fields.fcr_response_kw ?? 0), language);
  if (fields.type === "schedule")
    return `${textIn(SCHEDULE, language)} ${local(`${request}, ${start} to ${end}`, `${request}、${start}～${end}`)}`;
  if (fields.type === "immediate")
    return `${textIn(IMMEDIATE, language)} ${local(`${request} for ${minutes} min`, `${request}、${minutes}分`)}`;
  return local(`${method} ${shownPath} (${owner})`, `${method} ${shownPath}（${owner}）`);
}
