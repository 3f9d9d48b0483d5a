import { knownKey } from "../../texts/catalogue.ts";
import { formatKw, formatWeight } from "../format/numbers.ts";
import { type MessageText, message } from "./messageText.ts";

/** What a command does, from the data of its event or action; one that the page does not know, as the request that it is. */
export function commandMessage(data: Readonly<Record<string, unknown>>): MessageText {
  const textOf = (name: string): string => String(data[name] ?? "");
  const product = data.sku === undefined ? "" : `${textOf("sku").toUpperCase()} `;
  const key = knownKey(`action.${textOf("act")}`) ?? "action.call";
  return message(key, {
    target: textOf("target"),
    site: textOf("member"),
    method: textOf("method"),
    path: textOf("path"),
    weight: formatWeight(Number(data.allocation_weight)),
    power: `${product}${formatKw(Number(data.delta_kw ?? data.fcr_response_kw ?? 0))}`,
    time: { minutes: Number(data.duration_minutes ?? 0) },
    ...(data.act === "schedule" ? { start: { at: textOf("start_time") }, end: { at: textOf("end_time") } } : {}),
  });
}
