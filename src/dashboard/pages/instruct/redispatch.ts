import type { AwardBalance } from "../../../api/client/sandboxTypes.ts";
import { hrefTo } from "../../app/route.ts";
import { msOf } from "../../format/times.ts";
import type { ControlDraft } from "./controlDraft.ts";
import { targetKey } from "./controlTarget.ts";

/** Key of the address with the award whose rest the form takes. */
export const REDISPATCH_KEY = "redispatch";

/** Address of the form, filled in with the rest of an award in force. */
export const redispatchHref = (vpp: string, awardId: string): string =>
  hrefTo(["instruct"], { vpp, target: targetKey({ kind: "vpp", name: vpp }), [REDISPATCH_KEY]: awardId });

const MS_PER_MINUTE = 60_000;

/**
 * The rest of an award: its product and power, until its end. What replaces a schedule is a schedule, which may begin after a
 * minute; what replaces an immediate instruction is another one.
 */
export function redispatchDraft(
  { sku, schedule_id, requested_kw, ends_at }: AwardBalance,
  nowMs: number,
): Partial<ControlDraft> {
  const endMs = msOf(ends_at);
  const isCapacity = sku === "fcr";
  const startMs = Math.ceil((nowMs + MS_PER_MINUTE) / MS_PER_MINUTE) * MS_PER_MINUTE;
  return {
    type: schedule_id === null ? "immediate" : "schedule",
    sku,
    amountKw: isCapacity ? null : requested_kw,
    fcrResponseKw: isCapacity ? requested_kw : null,
    hasBreakdown: false,
    startMs,
    endMs,
    durationMinutes: Math.max(1, Math.floor((endMs - nowMs) / MS_PER_MINUTE)),
  };
}
