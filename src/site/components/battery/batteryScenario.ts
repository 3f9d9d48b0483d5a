import {
  arrayOf,
  capacityKwh,
  efficiency,
  fraction,
  literal,
  nonNegativeNumber,
  optional,
  percentage,
  rampRate,
  ratingKw,
  type Static,
  strictObject,
} from "../../../base/schemaBuilders.ts";
import { MS_PER_SECOND } from "../../../base/time.ts";
import type { BatterySpec } from "../../../device/battery/batterySpec.ts";
import {
  type ComponentBuildPort,
  type ComponentScenarioFacet,
  componentProperties,
  HOUSEHOLD_MIN_KW,
} from "../scenarioFacet.ts";

const battery = strictObject({
  ...componentProperties,
  component_type: literal("battery"),
  rated_cap: capacityKwh({ description: "kWh between 0 % and 100 %" }),
  import_pwr_max: ratingKw({ description: "kW, AC" }),
  export_pwr_max: ratingKw({ description: "kW, AC" }),
  soc_op_min: percentage({ description: "%" }),
  soc_op_max: percentage({ description: "%" }),
  model: strictObject(
    {
      initial_soc: percentage({ default: 50, description: "%" }),
      charge_efficiency: efficiency({ default: 0.95 }),
      discharge_efficiency: efficiency({ default: 0.95 }),
      self_discharge_pct_per_day: percentage({ default: 0, description: "% of what is stored" }),
      auxiliary_kw: nonNegativeNumber({
        maximum: 999_999.9,
        default: 0,
        description: "Constant import on top of the set-point",
      }),
      response_delay_s: nonNegativeNumber({ maximum: 86_400, default: 0 }),
      ramp_kw_per_s: optional(rampRate()),
      power_taper: optional(
        arrayOf(strictObject({ soc: percentage(), import_fraction: fraction(), export_fraction: fraction() }), {
          minItems: 1,
          description: "By rising soc; linear between points, flat outside",
        }),
      ),
    },
    { default: {} },
  ),
});

export type BatteryKeys = Static<typeof battery>;

export const batteryScenario: ComponentScenarioFacet<BatteryKeys, BatterySpec> = {
  schemas: [battery],
  matches: (keys) => keys.component_type === "battery",
  build: buildBattery,
  resourceType: () => "battery",
  impliedSeries: () => [],
  loadKeys: () => null,
  ratingKeys: ({ import_pwr_max, export_pwr_max }) => ({
    key: import_pwr_max < export_pwr_max ? "export_pwr_max" : "import_pwr_max",
    ratedKw: Math.max(import_pwr_max, export_pwr_max),
    usualMinKw: HOUSEHOLD_MIN_KW,
  }),
  pvPlantKeys: () => null,
  storageKeys: ({ rated_cap, import_pwr_max, export_pwr_max }) => ({
    key: "rated_cap",
    capacityKwh: rated_cap,
    ratedKw: Math.max(import_pwr_max, export_pwr_max),
  }),
  allowsPerfectBaseline: true,
};

function buildBattery({ checker }: ComponentBuildPort, keys: BatteryKeys): BatterySpec {
  if (keys.soc_op_min >= keys.soc_op_max) {
    checker.reportError(keys, "soc_op_min", `${keys.soc_op_min}`, `a number below soc_op_max, ${keys.soc_op_max}`);
  }
  const model = keys.model ?? {};
  const taper = model.power_taper ?? null;
  const points = taper ?? [];
  for (let k = 1; k < points.length; k++) {
    const { soc } = points[k];
    const previous = points[k - 1].soc;
    if (soc <= previous)
      checker.reportError(points[k], "soc", `${soc}`, `a number above that of the point before, ${previous}`);
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

const secondsToMs = (seconds: number) => Math.round(seconds * MS_PER_SECOND);
