import { type ComponentWireFacet, fcrRefusal, type WireSpecification } from "../wireFacet.ts";
import type { EvChargersComponent } from "./evChargersComponent.ts";
import { chargeSumKw, dischargeSumKw, type EvChargersModel, isTwoWay, ratedCapKwh } from "./evChargersModel.ts";

/** A battery where any connector is two-way, else a consumer. @see docs/model/ev-chargers.md#wire */
export const evChargersWire: ComponentWireFacet<EvChargersModel, EvChargersComponent> = {
  componentType: (spec) => (isTwoWay(spec) ? "battery" : "consumer"),
  specification: (spec) => (isTwoWay(spec) ? batterySpecification(spec) : consumerSpecification(spec)),
  v1Ratings: (spec) =>
    isTwoWay(spec)
      ? {
          rated_cap: ratedCapKwh(spec),
          dis_pwr_max: dischargeSumKw(spec),
          chg_pwr_max: chargeSumKw(spec),
          soc_op_max: 100,
          soc_op_min: 0,
        }
      : null,
  v1OutputKw: () => 0,
  hasIrradiance: () => false,
  importAvailableKw: (chargers, _siteImportMaxKw, atMs) => Math.max(0, chargers.powerRange(atMs, 1).highestKw),
  exportAvailableKw: (chargers, outputLimitShare, atMs) => chargers.exportAvailableKw(atMs, outputLimitShare),
  energyAvailable: (chargers, atMs) => (isTwoWay(chargers.spec) ? chargers.energyAvailable(atMs) : null),
  requestHeadroomKw(chargers, outputLimitShare, isUp, atMs) {
    const { lowestKw, highestKw } = chargers.powerRange(atMs, outputLimitShare);
    return Math.max(0, isUp ? highestKw : -lowestKw);
  },
  paths: (spec, paths) =>
    isTwoWay(spec)
      ? {
          from_generator_kwh: paths.fromGeneratorKwh,
          from_grid_kwh: paths.fromGridKwh,
          to_grid_kwh: paths.toGridKwh,
          to_load_kwh: paths.toLoadKwh,
        }
      : { from_grid_kwh: paths.fromGridKwh },
  amountRefusal: (_spec, amounts) => fcrRefusal(false, amounts),
};

const batterySpecification = (spec: EvChargersModel): WireSpecification => ({
  rated_cap: ratedCapKwh(spec),
  import_pwr_max: chargeSumKw(spec),
  export_pwr_max: dischargeSumKw(spec),
  soc_op_max: 100,
  soc_op_min: 0,
});

const consumerSpecification = (spec: EvChargersModel): WireSpecification => ({
  consumer_kind: "ev_charging",
  contract_kw: chargeSumKw(spec),
  max_demand_kw: chargeSumKw(spec),
  dr_capable: true,
  min_dr_reduction_kw: 0,
  max_dr_reduction_kw: chargeSumKw(spec),
  min_dr_duration_minutes: 1,
  min_dr_cooldown_minutes: 0,
});
