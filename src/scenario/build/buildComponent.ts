import { MS_PER_MINUTE, MS_PER_SECOND } from "../../base/time.ts";
import type { BatterySpec } from "../../device/battery/batterySpec.ts";
import type { ConsumerSpec } from "../../device/consumer/consumerSpec.ts";
import type { DispatchableSpec, ReservoirSpec } from "../../device/dispatchable/dispatchableSpec.ts";
import type { VariableGeneratorSpec } from "../../device/generator/generatorSpec.ts";
import { scaleSeries } from "../../series/model/scaleSeries.ts";
import type { ComponentSpec } from "../../site/components/registry.ts";
import type {
  BatteryConfig,
  ComponentConfig,
  ConsumerConfig,
  DispatchablePlantConfig,
  PumpedStorageConfig,
  PvConfig,
  WindConfig,
} from "../schema/componentSchema.ts";
import type { BuildContext } from "./buildContext.ts";
import { buildWeatherPv } from "./buildWeatherPv.ts";

const secondsToMs = (seconds: number) => Math.round(seconds * MS_PER_SECOND);
const minutesToMs = (minutes: number) => Math.round(minutes * MS_PER_MINUTE);

/** One component with its series; `null` where the file is wrong (reported elsewhere). */
export function buildComponent(
  building: BuildContext,
  keys: ComponentConfig,
  simulatesOutages: boolean,
): ComponentSpec | null {
  if (keys.component_type === "battery") return buildBattery(building, keys);
  if (keys.component_type === "consumer") return buildConsumer(building, keys);
  if (keys.generator_kind === "pv" || keys.generator_kind === "wind")
    return buildVariableGenerator(building, keys, simulatesOutages);
  return buildDispatchable(building, keys);
}

function buildBattery({ checker }: BuildContext, keys: BatteryConfig): BatterySpec {
  if (keys.soc_op_min >= keys.soc_op_max) {
    checker.reportError(keys, "soc_op_min", `${keys.soc_op_min}`, `a number below soc_op_max, ${keys.soc_op_max}`);
  }
  const model = keys.model ?? {};
  const taper = model.power_taper ?? null;
  for (let k = 1; k < (taper?.length ?? 0); k++) {
    if (taper![k].soc <= taper![k - 1].soc) {
      checker.reportError(
        taper![k],
        "soc",
        `${taper![k].soc}`,
        `a number above that of the point before, ${taper![k - 1].soc}`,
      );
    }
  }
  return {
    kind: "battery",
    componentId: keys.component_id,
    fcrCapable: keys.fcr_capable,
    ratedCapKwh: keys.rated_cap,
    importMaxKw: keys.import_pwr_max,
    exportMaxKw: keys.export_pwr_max,
    socOpMinPct: keys.soc_op_min,
    socOpMaxPct: keys.soc_op_max,
    initialSocPct: model.initial_soc,
    chargeEfficiency: model.charge_efficiency,
    dischargeEfficiency: model.discharge_efficiency,
    selfDischargePctPerDay: model.self_discharge_pct_per_day,
    auxiliaryKw: model.auxiliary_kw,
    responseDelayMs: secondsToMs(model.response_delay_s),
    rampKwPerS: model.ramp_kw_per_s ?? null,
    powerTaper:
      taper?.map((point) => ({
        socPct: point.soc,
        importFraction: point.import_fraction,
        exportFraction: point.export_fraction,
      })) ?? null,
  };
}

function buildVariableGenerator(
  building: BuildContext,
  keys: PvConfig | WindConfig,
  simulatesOutages: boolean,
): VariableGeneratorSpec | null {
  const pvCapacityKw = keys.generator_kind === "pv" ? keys.pv_capacity_kw : null;
  const sent = buildGeneration(building, keys, pvCapacityKw ?? keys.rated_output_kw, simulatesOutages);
  if (sent === null) return null;
  return {
    kind: "generator",
    componentId: keys.component_id,
    generatorKind: keys.generator_kind,
    fcrCapable: keys.fcr_capable,
    subsidy: keys.subsidy,
    ratedOutputKw: keys.rated_output_kw,
    pvCapacityKw,
    ...sent,
  };
}

type GenerationSeries = Pick<VariableGeneratorSpec, "generationKw" | "irradianceWm2">;

/** From the weather, or as a series of kW or of shares of `resourceDeliveredKw`. */
function buildGeneration(
  building: BuildContext,
  keys: PvConfig | WindConfig,
  unitKw: number,
  simulatesOutages: boolean,
): GenerationSeries | null {
  const { model } = keys;
  if (model === undefined) return null;
  if ("weather" in model) {
    if (keys.generator_kind !== "pv") return null;
    const made = buildWeatherPv(building, keys, model, simulatesOutages);
    return made === null || model.irradiance_sensor ? made : { ...made, irradianceWm2: null };
  }
  const { series } = building;
  const factor = model.unit === "per_unit" ? unitKw : 1;
  const generation = series.resolve(model, "generation", { interpolation: "step", minimum: 0 });
  const generationKw = series.deriveOnce(generation, `times ${factor}`, () => scaleSeries(generation, factor));
  return { generationKw, irradianceWm2: null };
}

function buildDispatchable(
  { checker }: BuildContext,
  keys: DispatchablePlantConfig | PumpedStorageConfig,
): DispatchableSpec {
  if (keys.min_output_kw > keys.rated_output_kw) {
    const allowed = `at most rated_output_kw, ${keys.rated_output_kw}`;
    checker.reportError(keys, "min_output_kw", `${keys.min_output_kw}`, allowed);
  }
  return {
    kind: "dispatchable",
    componentId: keys.component_id,
    generatorKind: keys.generator_kind,
    fcrCapable: keys.fcr_capable,
    subsidy: keys.subsidy,
    ratedOutputKw: keys.rated_output_kw,
    minOutputKw: keys.min_output_kw,
    rampKwPerMin: keys.ramp_rate_kw_per_min ?? null,
    fuelType: keys.fuel_type ?? null,
    reservoir: keys.generator_kind === "pumped_storage" ? reservoirOf(keys) : null,
  };
}

function reservoirOf(keys: PumpedStorageConfig): ReservoirSpec {
  return {
    capacityKwh: keys.upper_reservoir_capacity_kwh,
    initialFillPct: keys.model?.initial_fill_pct,
    pumpMaxKw: keys.pump_input_max_kw,
    pumpingEfficiency: keys.model?.pumping_efficiency,
    generatingEfficiency: keys.model?.generating_efficiency,
  };
}

function buildConsumer({ checker, series }: BuildContext, keys: ConsumerConfig): ConsumerSpec {
  const model = keys.model ?? {};
  if (keys.dr_capable && keys.max_dr_reduction_kw === 0) {
    checker.reportError(keys, "max_dr_reduction_kw", "0", "a number above 0 where dr_capable is true");
  } else if (keys.dr_capable && keys.min_dr_reduction_kw > keys.max_dr_reduction_kw) {
    const allowed = `at most max_dr_reduction_kw, ${keys.max_dr_reduction_kw}`;
    checker.reportError(keys, "min_dr_reduction_kw", `${keys.min_dr_reduction_kw}`, allowed);
  }
  return {
    kind: "consumer",
    componentId: keys.component_id,
    consumerKind: keys.consumer_kind,
    fcrCapable: keys.fcr_capable,
    contractKw: keys.contract_kw,
    maxDemandKw: keys.max_demand_kw,
    drCapable: keys.dr_capable,
    minDrReductionKw: keys.min_dr_reduction_kw,
    maxDrReductionKw: keys.max_dr_reduction_kw,
    minDrDurationMs: minutesToMs(keys.min_dr_duration_minutes),
    minDrCooldownMs: minutesToMs(keys.min_dr_cooldown_minutes),
    loadKw: series.resolve(model, "load", { interpolation: "step", minimum: 0 }),
    responseDelayMs: secondsToMs(model.response_delay_s),
    rampKwPerS: model.ramp_kw_per_s ?? null,
    reboundFraction: model.rebound_fraction,
    reboundMs: minutesToMs(model.rebound_minutes),
    control: model.control,
  };
}
