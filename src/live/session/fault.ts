import { wireTime } from "../../api/endpoints/shared/wireTime.ts";
import type { EpochMs } from "../../base/time.ts";
import type { ActiveFault } from "../../engine/simulation/faults.ts";
import type { FaultEvent, OutputControlReason } from "../../engine/simulation/worldSpec.ts";
import type { FaultKind } from "../../inputs/scenario/schema/injectSchema.ts";
import type { FaultRecord } from "./sandboxCommands.ts";

/** A fault ordered through the sandbox: an event of a scenario that starts now. */
export interface FaultSpec {
  readonly kind: FaultKind;
  /** Name of the site. */
  readonly site: string;
  /** `null`: until it is ended through the sandbox. */
  readonly durationMs: number | null;
  /** Only for output_control, 0..100. */
  readonly limitPct?: number;
  readonly reason?: OutputControlReason;
}

/** Record of a fault for the sandbox's list. @param siteName  name of the fault's site */
export function faultRecord({ faultId, event, startMs }: ActiveFault, siteName: string): FaultRecord {
  const { kind, untilMs } = event;
  return {
    fault_id: faultId,
    kind,
    site: siteName,
    starts_at: wireTime(startMs),
    ends_at: untilMs === Number.POSITIVE_INFINITY ? null : wireTime(untilMs),
    ...(event.kind === "output_control" ? { limit_pct: event.limitPct, reason: event.reason } : {}),
  };
}

/** The event that begins a fault in the world. @param site  index of the site */
export function lastingEvent(
  { kind, durationMs, limitPct, reason }: FaultSpec,
  site: number,
  nowMs: EpochMs,
): FaultEvent {
  const untilMs = durationMs === null ? Number.POSITIVE_INFINITY : nowMs + durationMs;
  const common = { atMs: nowMs, settled: true, site, untilMs };
  if (kind === "output_control") return { ...common, kind, limitPct: limitPct ?? 0, reason: reason ?? "other" };
  return { ...common, kind };
}
