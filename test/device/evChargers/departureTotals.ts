import type { DepartureVisitor } from "../../../src/engine/device/evChargers/chargersState.ts";
import {
  type ChargingSession,
  type EvChargersSpec,
  unservedKwh,
} from "../../../src/engine/device/evChargers/evChargersSpec.ts";
import { unreachableKwh } from "./unreachableKwh.ts";

/** Counts departures, and those below the wanted energy with their missing energy. @see docs/model/ev-chargers.md#unserved */
export class DepartureTotals implements DepartureVisitor {
  count = 0;
  unservedCount = 0;
  unservedKwh = 0;
  /** The part that full power from the arrival on would not have served either. */
  unreachableKwh = 0;
  private readonly spec: EvChargersSpec;

  constructor(spec: EvChargersSpec) {
    this.spec = spec;
  }

  departed(session: ChargingSession, storedKwh: number): void {
    const kwh = unservedKwh(session, storedKwh);
    this.count++;
    if (kwh === 0) return;
    this.unservedCount++;
    this.unservedKwh += kwh;
    this.unreachableKwh += Math.min(kwh, unreachableKwh(this.spec, session));
  }
}
