import {
  arrayOf,
  capacityKwh,
  efficiency,
  fraction,
  literal,
  nonNegativeNumber,
  number,
  optional,
  percentage,
  rampRate,
  ratingKw,
  type Static,
  strictObject,
} from "../../../../base/schemaBuilders.ts";
import { MS_PER_SECOND } from "../../../../base/time.ts";
import type { BatteryAgeingSpec, BatterySpec } from "../../../device/battery/batterySpec.ts";
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
      ageing: optional(
        strictObject({
          model: literal("naumann_lfp"),
          temperature_c: number({ minimum: -20, maximum: 60, default: 25, description: "°C of the cells" }),
          c_rate: optional(
            number({
              exclusiveMinimum: 0,
              maximum: 10,
              description: "1/h; absent: the larger power rating by rated_cap",
            }),
          ),
          initial_calendar_loss_pct: number({ minimum: 0, maximum: 25, default: 0, description: "% of rated_cap" }),
          initial_cycle_loss_pct: number({ minimum: 0, maximum: 25, default: 0, description: "% of rated_cap" }),
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
  storageKeys: ({ rated_cap, import_pwr_max, export_pwr_max, soc_op_min, soc_op_max, model }) => ({
    key: "rated_cap",
    capacityKwh: rated_cap,
    ratedKw: Math.max(import_pwr_max, export_pwr_max),
    importKw: import_pwr_max,
    importKey: "import_pwr_max",
    start: { owner: model, key: "initial_soc", pct: model.initial_soc },
    minPct: soc_op_min,
    maxPct: soc_op_max,
  }),
  allowsPerfectBaseline: true,
};

function buildBattery(port: ComponentBuildPort, keys: BatteryKeys): BatterySpec {
  const { checker } = port;
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
    ...(model.ageing === undefined ? {} : { ageing: buildAgeing(port, keys, model.ageing) }),
  };
}

function buildAgeing(
  { startMs, endMs, localDays }: ComponentBuildPort,
  { rated_cap, import_pwr_max, export_pwr_max }: BatteryKeys,
  keys: NonNullable<BatteryKeys["model"]["ageing"]>,
): BatteryAgeingSpec {
  return {
    temperatureC: keys.temperature_c,
    cRate: keys.c_rate ?? Math.max(import_pwr_max, export_pwr_max) / rated_cap,
    initialCalendarLoss: keys.initial_calendar_loss_pct / 100,
    initialCycleLoss: keys.initial_cycle_loss_pct / 100,
    startMs,
    endMs,
    updatesMs: localDays("none").flatMap(({ midnightMs }) =>
      startMs < midnightMs && midnightMs < endMs ? [midnightMs] : [],
    ),
  };
}

const secondsToMs = (seconds: number) => Math.round(seconds * MS_PER_SECOND);
