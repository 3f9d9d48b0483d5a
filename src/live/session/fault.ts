import { wireTime, wireTimeOrNull } from "../../api/endpoints/shared/wireTime.ts";
import { type EpochMs, isoDuration } from "../../base/time.ts";
import type { ActiveFault } from "../../engine/simulation/faults.ts";
import type { FaultEvent } from "../../engine/simulation/worldSpec.ts";
import { type FaultValues, faultEventOf, faultValues } from "../../inputs/scenario/build/faultEvent.ts";
import type { FaultKeys, FaultKind } from "../../inputs/scenario/schema/faultSchema.ts";
import type { FaultRecord, ScenarioFault } from "./sandboxCommands.ts";

/** A fault ordered through the sandbox: an event of a scenario that starts now. */
export interface FaultSpec extends FaultValues {
  /** Name of the site. */
  readonly site: string;
  /** `null`: until it is ended through the sandbox. */
  readonly durationMs: number | null;
}

/** A fault from the keys of a file or body. */
export const faultSpec = (
  keys: FaultKeys & { readonly kind: FaultKind; readonly site: string },
  durationMs: number | null,
): FaultSpec => ({ ...faultValues(keys), site: keys.site, durationMs });

/** The keys of a fault as a file has them, without duration. */
export const keysOfFault = ({
  limitPct: limit_pct,
  reason,
  rampInMs: ramp_in,
  rampOutMs: ramp_out,
  sensor,
  offset,
}: Omit<FaultSpec, "kind" | "site" | "durationMs">): WrittenFaultKeys =>
  writtenKeys({ limit_pct, reason, ramp_in, ramp_out, sensor, offset });

const keysOfEvent = (event: FaultEvent): WrittenFaultKeys =>
  keysOfFault("limitPct" in event || "sensor" in event ? event : {});

export type WrittenFaultKeys = Omit<FaultKeys, "ramp_in" | "ramp_out"> & {
  readonly ramp_in?: string;
  readonly ramp_out?: string;
};

/** With durations as ISO 8601 texts. */
export const writtenKeys = ({
  limit_pct,
  reason,
  ramp_in,
  ramp_out,
  sensor,
  offset,
}: Optional<FaultKeys>): WrittenFaultKeys => ({
  ...(limit_pct === undefined ? {} : { limit_pct }),
  ...(reason === undefined ? {} : { reason }),
  ...(ramp_in === undefined ? {} : { ramp_in: isoDuration(ramp_in) }),
  ...(ramp_out === undefined ? {} : { ramp_out: isoDuration(ramp_out) }),
  ...(sensor === undefined ? {} : { sensor }),
  ...(offset === undefined ? {} : { offset }),
});

type Optional<T> = { readonly [Key in keyof T]?: T[Key] | undefined };

/** Record of a fault for the sandbox's list. @param siteName  name of the fault's site */
export function faultRecord({ faultId, event, startMs }: ActiveFault, siteName: string): FaultRecord {
  const { kind, untilMs } = event;
  return {
    fault_id: faultId,
    kind,
    site: siteName,
    starts_at: wireTime(startMs),
    ends_at: wireTimeOrNull(untilMs),
    ...keysOfEvent(event),
  };
}

/** Record of a fault among the events of a scenario. */
export function scenarioFault(event: FaultEvent, siteName: string, state: ScenarioFault["state"]): ScenarioFault {
  const { kind, atMs, untilMs } = event;
  return {
    kind,
    site: siteName,
    ...keysOfEvent(event),
    at: wireTime(atMs),
    ends_at: wireTimeOrNull(untilMs),
    state,
  };
}

/** The event that begins a fault in the world. @param site  index of the site */
export function lastingEvent(fault: FaultSpec, site: number, nowMs: EpochMs): FaultEvent {
  const { durationMs } = fault;
  const untilMs = durationMs === null ? Number.POSITIVE_INFINITY : nowMs + durationMs;
  return faultEventOf({ atMs: nowMs, settled: true, site, untilMs }, fault);
}
