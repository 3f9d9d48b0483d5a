import type { SandboxEvent } from "../../api/client/sandboxTypes.ts";
import { knownKey } from "../../texts/catalogue.ts";
import { formatWeight, MINUS } from "../format/numbers.ts";
import { commandMessage } from "./commandMessage.ts";
import { type MessageText, message, type TextValue } from "./messageText.ts";

/** What an event and a mark of the chart have in common. */
export type EventFacts = Pick<SandboxEvent, "kind" | "site" | "award_id" | "text" | "data">;

/** What an event says, from its kind and data; `null`: of a kind or with data that this page does not know. */
export function eventMessage({ kind, site: siteName, award_id, data }: EventFacts): MessageText | null {
  const site = siteName ?? "";
  const award = String(data.name ?? award_id ?? "");
  const by = String(data.by_name ?? data.by_award_id ?? "");
  switch (kind) {
    case "award_registered":
      if (data.change === "cut") return message("event.award_cut", { award, by });
      return message("event.award_registered", { award, kw: kwOf(data.requested_kw) });
    case "award_started":
      return message("event.award_started", { award, kw: kwOf(data.requested_kw) });
    case "award_ended":
      if (data.change === "replaced") return message("event.award_replaced", { award, by });
      return message(data.change === "deleted" ? "event.award_deleted" : "event.award_ended", { award });
    case "dispatched":
    case "redispatched":
      return dispatchMessage(award, data);
    case "refused":
      if (data.change === "no_effect") return message("event.award_no_effect", { award, by });
      if (siteName !== null) return message("event.refused_by_site", { site, award, reason: reasonOf(data.cause) });
      return message("event.award_refused", { award, reason: reasonOf(data.error_type) });
    case "status_changed":
      return message(data.status === "in_service" ? "event.in_service" : "event.out_of_service", { site });
    case "fault_noticed":
    case "fault_cleared": {
      const key = knownKey(`event.${String(data.effect)}${kind === "fault_cleared" ? "_over" : ""}`);
      return key === null ? null : message(key, { site, limit: String(data.detail ?? "") });
    }
    case "weight_changed": {
      const key = knownKey(`event.${String(data.change)}`);
      const values = { site, vpp: String(data.vpp ?? ""), weight: formatWeight(Number(data.allocation_weight)) };
      return key === null ? null : message(key, values);
    }
    case "clock": {
      const key = knownKey(`event.clock_${String(data.change)}`);
      // Only an advance has a target.
      const target: Record<string, TextValue> = typeof data.to === "string" ? { at: { at: data.to } } : {};
      return key === null ? null : message(key, { who: whoOf(data.by), speed: String(data.speed), ...target });
    }
    case "command":
      return commandMessage(data);
    case "command_refused":
      return refusedCommandMessage(data);
    default:
      return null;
  }
}

/** The text where `eventMessage` has none: the server's, in English. */
export const plainText = ({ text }: EventFacts): string => text.replace(/(^|\s)-(?=\d)/g, `$1${MINUS}`);

const kwOf = (value: unknown): TextValue => ({ kw: Number(value) });

function dispatchMessage(award: string, data: EventFacts["data"]): MessageText {
  const uncoveredKw = Number(data.uncovered_kw);
  const values = {
    award,
    count: { count: Number(data.dispatched_count) },
    members: { count: Number(data.member_count) },
  };
  if (uncoveredKw === 0) return message("event.dispatched", values);
  return message("event.dispatched_uncovered", { ...values, kw: { kw: uncoveredKw } });
}

/** Who acted on the clock. */
function whoOf(by: unknown): TextValue {
  const key = knownKey(`app.${String(by ?? "server")}`);
  return key === null ? String(by) : { key };
}

/** A reason in words; one without words is shown by its name in the API. */
function reasonOf(value: unknown): TextValue {
  const key = knownKey(`refusal.${String(value)}`);
  return key === null ? String(value) : { key };
}

function refusedCommandMessage(data: EventFacts["data"]): MessageText {
  const { method, status, error_type: type, detail } = data;
  if (method === undefined) return message("event.request_refused", { reason: reasonOf(detail) });
  const what = { message: commandMessage(data) };
  return message("event.command_refused", { what, status: String(status), type: String(type ?? "") });
}
