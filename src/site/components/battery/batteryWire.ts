import type { BatterySpec } from "../../../device/battery/batterySpec.ts";
import { type ComponentWireFacet, fcrRefusal } from "../wireFacet.ts";
import type { BatteryComponent } from "./batteryComponent.ts";

export const batteryWire: ComponentWireFacet<BatterySpec, BatteryComponent> = {
  componentType: () => "battery",
  specification: (spec) => ({
    rated_cap: spec.ratedCapKwh,
    import_pwr_max: spec.importMaxKw,
    export_pwr_max: spec.exportMaxKw,
    soc_op_max: spec.socOpMaxPct,
    soc_op_min: spec.socOpMinPct,
  }),
  v1Ratings: (spec) => ({
    rated_cap: spec.ratedCapKwh,
    dis_pwr_max: spec.exportMaxKw,
    chg_pwr_max: spec.importMaxKw,
    soc_op_max: spec.socOpMaxPct,
    soc_op_min: spec.socOpMinPct,
  }),
  v1OutputKw: () => 0,
  hasIrradiance: () => false,
  importAvailableKw: (battery, _siteImportMaxKw, atMs) =>
    battery.importAvailableKw(battery.trajectory.storedKwhAt(atMs)),
  exportAvailableKw: (battery, outputLimitShare, atMs) =>
    battery.exportAvailableKw(atMs, outputLimitShare, battery.trajectory.storedKwhAt(atMs)),
  energyAvailable(battery, atMs) {
    const storedKwh = battery.trajectory.storedKwhAt(atMs);
    return {
      importKwh: battery.importEnergyAvailableKwh(storedKwh),
      exportKwh: battery.exportEnergyAvailableKwh(storedKwh),
    };
  },
  requestHeadroomKw: (battery, outputLimitShare, isUp, atMs) =>
    isUp ? battery.importAvailableKw() : battery.exportAvailableKw(atMs, outputLimitShare),
  paths: (_spec, paths) => ({
    from_generator_kwh: paths.fromGeneratorKwh,
    from_grid_kwh: paths.fromGridKwh,
    to_grid_kwh: paths.toGridKwh,
    to_load_kwh: paths.toLoadKwh,
  }),
  amountRefusal: ({ fcrCapable }, amounts) => fcrRefusal(fcrCapable, amounts),
};
