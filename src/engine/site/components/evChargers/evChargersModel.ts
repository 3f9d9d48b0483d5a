import { sumOf } from "../../../../base/lists.ts";
import type { EpochMs } from "../../../../base/time.ts";
import type { EvChargersSpec } from "../../../device/evChargers/evChargersSpec.ts";
import type { PatternDay, SessionPattern } from "../../../device/evChargers/generateSessions.ts";

/** Chargers of a site as a scenario describes them. */
export interface EvChargersModel extends EvChargersSpec {
  readonly fcrCapable: boolean;
  /** What sessions are drawn from; `null`: they are from a file. */
  readonly generator: SessionGenerator | null;
  /** The run. */
  readonly startMs: EpochMs;
  readonly endMs: EpochMs;
}

interface SessionGenerator {
  readonly pattern: SessionPattern;
  readonly days: readonly PatternDay[];
}

/** Whether any connector discharges: then it is a battery on the wire, else a consumer. @see docs/model/ev-chargers.md#wire */
export const isTwoWay = ({ connectors }: EvChargersSpec): boolean =>
  connectors.some(({ dischargeMaxKw }) => 0 < dischargeMaxKw);

export const chargeSumKw = ({ connectors }: EvChargersSpec): number =>
  sumOf(connectors, ({ chargeMaxKw }) => chargeMaxKw);

export const dischargeSumKw = ({ connectors }: EvChargersSpec): number =>
  sumOf(connectors, ({ dischargeMaxKw }) => dischargeMaxKw);

/** Sum over the connectors of the largest capacity of a car there. @see docs/model/ev-chargers.md#wire */
export function ratedCapKwh({ connectors, sessions, generator }: EvChargersModel): number {
  const largest = connectors.map(() => generator?.pattern.capacityKwh ?? 0);
  for (const { connector, capacityKwh } of sessions) largest[connector] = Math.max(largest[connector], capacityKwh);
  return sumOf(largest);
}
