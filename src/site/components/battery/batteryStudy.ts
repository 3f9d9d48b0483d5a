import { storedMaxKwh, storedMinKwh } from "../../../device/battery/batteryCapability.ts";
import type { BatterySpec } from "../../../device/battery/batterySpec.ts";
import type { ComponentStudyFacet, PlannableStorage, StorageRatings } from "../studyFacet.ts";
import { BatteryAgeing } from "./batteryAgeing.ts";

export const batteryStudy: ComponentStudyFacet<BatterySpec> = {
  canParticipate: () => true,
  highestKw: ({ importMaxKw, auxiliaryKw }) => importMaxKw + auxiliaryKw,
  highestUncontrolledKw: ({ auxiliaryKw }) => auxiliaryKw,
  lowestKw: ({ exportMaxKw }) => -exportMaxKw,
  drivingSeries: () => null,
  ratedKw: ({ importMaxKw, exportMaxKw }) => Math.max(importMaxKw, exportMaxKw),
  energyKwh: ({ socOpMinPct, socOpMaxPct, ratedCapKwh }) => ((socOpMaxPct - socOpMinPct) / 100) * ratedCapKwh,
  idealStorage: (spec) => (hasOwnDynamics(spec) ? null : ratingsOf(spec)),
  plannableStorage: (spec) => {
    const features = unplannedFeatures(spec);
    return features.length === 0 ? plannableOf(spec) : `a battery with ${features.join(", ")}`;
  },
};

const hasOwnDynamics = ({ responseDelayMs, rampKwPerS, selfDischargePctPerDay }: BatterySpec): boolean =>
  responseDelayMs > 0 || rampKwPerS !== null || selfDischargePctPerDay > 0;

/** What a plan cannot represent. */
function unplannedFeatures(spec: BatterySpec): string[] {
  const { rampKwPerS, responseDelayMs, powerTaper, selfDischargePctPerDay, auxiliaryKw } = spec;
  const features: readonly [string, boolean][] = [
    ["ramp", rampKwPerS !== null],
    ["delay", 0 < responseDelayMs],
    ["taper", powerTaper !== null && 0 < powerTaper.length],
    ["self-discharge", 0 < selfDischargePctPerDay],
    ["auxiliaries", 0 < auxiliaryKw],
  ];
  return features.filter(([, isPresent]) => isPresent).map(([feature]) => feature);
}

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

function plannableOf(spec: BatterySpec): PlannableStorage {
  const ageing = spec.ageing === undefined ? null : new BatteryAgeing(spec, spec.ageing);
  const present = (): BatterySpec => (ageing === null ? spec : { ...spec, ratedCapKwh: ageing.capacityKwh });
  const { importMaxKw, exportMaxKw, chargeEfficiency, dischargeEfficiency } = spec;
  return {
    importMaxKw,
    exportMaxKw,
    chargeEfficiency,
    dischargeEfficiency,
    initialKwh: (spec.initialSocPct * present().ratedCapKwh) / 100,
    isAgeing: ageing !== null,
    rangeKwh: () => ({ storedMinKwh: storedMinKwh(present()), storedMaxKwh: storedMaxKwh(present()) }),
    advance: (totals, atMs) => ageing?.add(totals, atMs),
  };
}
