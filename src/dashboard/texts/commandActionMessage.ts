import type { SandboxActionRecord } from "../../api/client/sandboxTypes.ts";
import { formatKw, formatWeight } from "../format/numbers.ts";
import { shortIds } from "./catalogue.ts";
import { type MessageText, message } from "./messageText.ts";

/** What a command of a person does; a command that the page does not know is shown as the request that it is. */
export function commandActionMessage(data: SandboxActionRecord["data"]): MessageText {
  const { method, path, target, member, type, allocation_weight: weight } = data;
  if (weight !== undefined && member !== undefined)
    return message("action.weight", { site: String(member), weight: formatWeight(Number(weight)) });
  const kw = data.delta_kw ?? data.fcr_response_kw;
  if (kw !== undefined) {
    const product = data.sku === undefined ? "" : `${String(data.sku).toUpperCase()} `;
    const values = { target: String(target), power: `${product}${formatKw(Number(kw))}` };
    if (type === "immediate")
      return message("action.immediate", { ...values, time: { minutes: Number(data.duration_minutes) } });
    if (type === "schedule") {
      const [start, end] = [{ at: String(data.start_time) }, { at: String(data.end_time) }];
      return message("action.schedule", { ...values, start, end });
    }
  }
  return message("action.command", { method: String(method), path: shortIds(String(path)), target: String(target) });
}
