import type { Language } from "../base/language.ts";
import type { Drill } from "./drill.ts";
import type { AnsweredInput } from "./playDrill.ts";

/** An action in words, such as `weight of battery-large: 0`. */
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
  const named = path.replace(/[0-9a-f]{32}/g, (emsId) => sites.find((site) => site.emsId === emsId)?.name ?? emsId);
  const owner =
    api === "vpp-v1" ? vpps.find(({ vppId }) => vppId === id)?.name : sites.find(({ emsId }) => emsId === id)?.name;
  const fields = (body ?? {}) as Readonly<Record<string, unknown>>;
  const weight = fields.allocation_weight;
  if (weight !== undefined && path.startsWith("/members/")) {
    const site = named.slice("/members/".length);
    return local(`weight of ${site}: ${weight}`, `${site} の配分比：${weight}`);
  }
  const product = fields.sku ?? local("without product", "商品なし");
  if (fields.type === "schedule") {
    const { delta_kw: kw, start_time: start, end_time: end } = fields;
    return local(
      `schedule ${product} ${kw} kW, ${start} to ${end}`,
      `スケジュール ${product} ${kw} kW、${start}～${end}`,
    );
  }
  if (fields.type === "immediate") {
    const { delta_kw: kw, duration_minutes: minutes } = fields;
    return local(
      `immediate instruction ${product} ${kw} kW for ${minutes} min`,
      `即時指令 ${product} ${kw} kW、${minutes}分`,
    );
  }
  return local(`${method} ${named} (${owner ?? id})`, `${method} ${named}（${owner ?? id}）`);
}
