import type { BatterySpec } from "../../../device/battery/batterySpec.ts";
import type { ComponentStudyFacet, StorageRatings } from "../studyFacet.ts";

export const batteryStudy: ComponentStudyFacet<BatterySpec> = {
  canParticipate: () => true,
  highestKw: ({ importMaxKw, auxiliaryKw }) => importMaxKw + auxiliaryKw,
  highestUncontrolledKw: ({ auxiliaryKw }) => auxiliaryKw,
  lowestKw: ({ exportMaxKw }) => -exportMaxKw,
  drivingSeries: () => null,
  ratedKw: ({ importMaxKw, exportMaxKw }) => Math.max(importMaxKw, exportMaxKw),
  energyKwh: ({ socOpMinPct, socOpMaxPct, ratedCapKwh }) => ((socOpMaxPct - socOpMinPct) / 100) * ratedCapKwh,
  idealStorage: (spec) => (hasOwnDynamics(spec) ? null : ratingsOf(spec)),
};

const hasOwnDynamics = ({ responseDelayMs, rampKwPerS, selfDischargePctPerDay }: BatterySpec): boolean =>
  responseDelayMs > 0 || rampKwPerS !== null || selfDischargePctPerDay > 0;

function ratingsOf(spec: BatterySpec): StorageRatings {
  const { ratedCapKwh, socOpMinPct, socOpMaxPct, initialSocPct } = spec;
  const initialKwh = (initialSocPct * ratedCapKwh) / 100;
  return {
    // A battery that starts outside its operating range stays there until an instruction moves it into the range.
    storedMinKwh: Math.min((socOpMinPct * ratedCapKwh) / 100, initialKwh),
    storedMaxKwh: Math.max((socOpMaxPct * ratedCapKwh) / 100, initialKwh),
    initialKwh,
    importMaxKw: spec.importMaxKw,
    exportMaxKw: spec.exportMaxKw,
    chargeEfficiency: spec.chargeEfficiency,
    dischargeEfficiency: spec.dischargeEfficiency,
    auxiliaryKw: spec.auxiliaryKw,
  };
}
