import type { EpochMs } from "../../../base/time.ts";
import type { FaultEvent } from "../../../engine/simulation/worldSpec.ts";
import type { FaultKeys, FaultKind } from "../schema/faultSchema.ts";

/** A fault with the values of its kind; those that its check has required are there. */
export interface FaultValues {
  readonly kind: FaultKind;
  readonly limitPct?: number;
  readonly reason?: NonNullable<FaultKeys["reason"]>;
  readonly rampInMs?: number;
  readonly rampOutMs?: number;
  readonly sensor?: NonNullable<FaultKeys["sensor"]>;
  readonly offset?: number;
}

/** The values of a fault from the keys of a file or body. */
export const faultValues = ({
  kind,
  limit_pct,
  reason,
  ramp_in,
  ramp_out,
  sensor,
  offset,
}: FaultKeys & { readonly kind: FaultKind }): FaultValues => ({
  kind,
  ...(limit_pct === undefined ? {} : { limitPct: limit_pct }),
  ...(kind === "output_control" ? { reason: reason ?? "other" } : {}),
  ...(ramp_in === undefined ? {} : { rampInMs: ramp_in }),
  ...(ramp_out === undefined ? {} : { rampOutMs: ramp_out }),
  ...(sensor === undefined ? {} : { sensor }),
  ...(offset === undefined ? {} : { offset }),
});

interface FaultPlace {
  readonly atMs: EpochMs;
  readonly settled: boolean;
  /** Index of the site. */
  readonly site: number;
  readonly untilMs: EpochMs;
}

export function faultEventOf(
  place: FaultPlace,
  { kind, limitPct = 0, reason = "other", rampInMs = 0, rampOutMs = 0, sensor = "power", offset = 0 }: FaultValues,
): FaultEvent {
  switch (kind) {
    case "output_control":
      return { ...place, kind, limitPct, reason };
    case "derate":
      return { ...place, kind, limitPct, rampInMs, rampOutMs };
    case "sensor_offset":
      return { ...place, kind, sensor, offset };
    case "sensor_stuck":
      return { ...place, kind, sensor };
    case "irradiance_shortfall":
      return { ...place, kind, limitPct };
    default:
      return { ...place, kind };
  }
}
