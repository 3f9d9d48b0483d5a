// Six sites in operation for two weeks: what they are is drawn, and what they say of themselves is something else.
import { createHash } from "node:crypto";
import { isoUtc, MS_PER_DAY, MS_PER_HOUR, MS_PER_MINUTE } from "../../src/base/time.ts";
import { RandomStreams } from "../../src/engine/kernel/randomStreams.ts";
import { memoryFiles } from "../../src/inputs/scenario/parse/loadContext.ts";
import { readServedScenario, type ServedScenario } from "../../src/live/session/servedScenario.ts";
import type { InputFiles } from "../../src/platform/files.ts";

export const START_MS = Date.parse("2026-06-01T00:00:00Z");

interface Battery {
  readonly name: string;
  readonly nameplateKwh: number;
  readonly kw: number;
}

const BATTERIES: readonly Battery[] = [
  { name: "store-large", nameplateKwh: 2_000, kw: 500 },
  { name: "store-small", nameplateKwh: 600, kw: 200 },
  { name: "store-old", nameplateKwh: 900, kw: 250 },
];

const WEIGHTS: Readonly<Record<string, number>> = {
  "store-large": 400,
  "store-small": 220,
  "store-old": 250,
  roof: 150,
  factory: 150,
  engine: 250,
};

/** Ratings of the meters' noise, kW. */
const RATINGS_KW: Readonly<Record<string, number>> = {
  "store-large": 500,
  "store-small": 200,
  "store-old": 250,
  roof: 450,
  factory: 1_600,
  engine: 500,
};

/** Standard deviation of a meter's noise by its rating, of an irradiance sensor's by its value; share of lost samples; % of charge. */
const NOISE_SHARE = 0.003;
const SENSOR_NOISE = 0.01;
const LOSS_SHARE = 0.01;
const SOC_DIGIT = 0.1;

/** What the plant is, by study path below `sites`; and what its nameplates say in place of some. */
export interface SixSites {
  readonly file: string;
  readonly files: InputFiles;
  readonly served: ServedScenario;
  readonly end: string;
  readonly truth: Readonly<Record<string, number>>;
  /** Weather by the minute, as a CSV file. */
  readonly weather: string;
  /** An answer of the API as it arrives: with noise, digits, lost samples and wrong nameplates. */
  disturb(path: string, body: string): string;
}

const LATITUDE_SUN = { rise: 5, set: 19 };

export function sixSites(seed: number, days: number): SixSites {
  const stream = new RandomStreams(seed).getStream("six sites", "drawn");
  const between = (low: number, high: number, digits = 4): number =>
    Number((low + (high - low) * stream.nextUniform()).toFixed(digits));
  const truth: Record<string, number> = {};
  const batteries = BATTERIES.map(({ name, nameplateKwh, kw }) => {
    const model = {
      initial_soc: 50,
      charge_efficiency: between(0.9, 0.97),
      discharge_efficiency: between(0.9, 0.97),
      auxiliary_kw: between(0.5, 3, 1),
      response_delay_s: between(2, 10, 2),
      ramp_kw_per_s: between(0.04, 0.1) * kw,
    };
    const rated_cap = between(0.86, 0.96) * nameplateKwh;
    const path = `${name}.components.bat`;
    truth[`${path}.rated_cap`] = rated_cap * Math.sqrt(model.discharge_efficiency / model.charge_efficiency);
    truth[`${name} round_trip_efficiency`] = model.charge_efficiency * model.discharge_efficiency;
    for (const key of ["auxiliary_kw", "response_delay_s", "ramp_kw_per_s"] as const)
      truth[`${path}.model.${key}`] = model[key];
    const hasFcr = name === "store-large";
    const fcr = {
      freq_ref: 50,
      up_deadband: 0.001 * Math.round(between(8, 15)),
      low_deadband: 0.001 * Math.round(between(8, 15)),
      up_droop: between(0.6, 1.5),
      low_droop: between(0.6, 1.5),
      response_delay_s: Math.round(between(1, 3)),
      deadband_form: stream.nextUniform() < 0.5 ? "full" : "subtract",
    };
    if (hasFcr)
      for (const key of ["up_deadband", "low_deadband", "up_droop", "low_droop", "response_delay_s"] as const)
        truth[`${name}.fcr_config.${key}`] = fcr[key];
    const component = {
      component_id: "bat",
      component_type: "battery",
      fcr_capable: hasFcr,
      rated_cap,
      import_pwr_max: kw,
      export_pwr_max: kw,
      soc_op_min: 10,
      soc_op_max: 90,
      model,
    };
    const own = hasFcr ? { capability: { fcr_capable: true }, fcr_config: fcr } : {};
    return { name, components: [component], ...own };
  });
  const lossFactor = between(0.74, 0.9);
  const delivery = between(0.7, 0.95);
  const rampKwPerMin = between(15, 35, 2);
  truth["roof.components.pv.model.loss_factor"] = lossFactor;
  truth["factory.components.line.model.delivery_ratio"] = delivery;
  truth["engine.components.engine.ramp_rate_kw_per_min"] = rampKwPerMin;
  const factoryModel = {
    load: "factory.load_kw",
    response_delay_s: between(5, 30, 1),
    ramp_kw_per_s: between(2, 6, 2),
    delivery_ratio: delivery,
  };
  truth["factory.components.line.model.response_delay_s"] = factoryModel.response_delay_s;
  truth["factory.components.line.model.ramp_kw_per_s"] = factoryModel.ramp_kw_per_s;
  const sites = [
    ...batteries,
    {
      name: "roof",
      components: [
        {
          component_id: "pv",
          component_type: "generator",
          generator_kind: "pv",
          pv_capacity_kw: 500,
          rated_output_kw: 450,
          model: { irradiance: "roof.poa_w_m2", loss_factor: lossFactor },
        },
      ],
    },
    {
      name: "factory",
      components: [
        {
          component_id: "line",
          component_type: "consumer",
          consumer_kind: "factory",
          contract_kw: 1_800,
          max_demand_kw: 1_600,
          dr_capable: true,
          min_dr_reduction_kw: 10,
          max_dr_reduction_kw: 250,
          model: factoryModel,
        },
      ],
      baseline: { method: "series", series: "factory.plan_kw" },
    },
    {
      name: "engine",
      components: [
        {
          component_id: "engine",
          component_type: "generator",
          generator_kind: "thermal",
          rated_output_kw: 500,
          ramp_rate_kw_per_min: rampKwPerMin,
        },
      ],
    },
  ];
  const at = (day: number, hour: number): string => isoUtc(START_MS + day * MS_PER_DAY + hour * MS_PER_HOUR);
  const awards = Array.from({ length: days }, (_, day) => {
    const award = (sku: string, from: number, to: number, delta_kw: number) => ({
      vpp: "v",
      sku,
      start: at(day, from),
      end: at(day, to),
      delta_kw,
    });
    const fcr = { vpp: "v", sku: "fcr", start: at(day, 5), end: at(day, 5 + 2 / 3), fcr_response_kw: 400 };
    return [
      award("frr", 1, 4, Math.round(between(380, 560))),
      ...(day % 2 === 0 ? [fcr] : []),
      award("frr", 7.5, 9, -Math.round(between(400, 700))),
      award("exchange-da", 11, 12.5, -Math.round(between(300, 600))),
      award("frr", 13.5, 16, Math.round(between(380, 560))),
      award("frr", 17, 20, -Math.round(between(650, 1000))),
      award("rr", 21, 22, -Math.round(between(200, 500))),
    ];
  }).flat();
  const weightAt = (day: number, hour: number, allocation_weight: number) => ({
    at: at(day, hour),
    kind: "set_weight",
    vpp: "v",
    site: "roof",
    allocation_weight,
  });
  const fault = (day: number, hour: number, kind: string, site: string, minutes: number) => ({
    at: isoUtc(Date.parse(at(day, hour)) + 20_000),
    kind,
    site,
    duration: `PT${minutes}M`,
  });
  const events = [
    ...Array.from({ length: days }, (_, day) => [weightAt(day, 10, 150), weightAt(day, 16.5, 0)]).flat(),
    fault(3, 17.7, "outage", "store-small", 25),
    fault(5, 16.9, "link_down", "store-old", 15),
    fault(11, 17.6, "outage", "store-old", 40),
    fault(12, 18.5, "link_down", "factory", 15),
  ].filter((event) => event.at < at(days, 0));
  const yaml = JSON.stringify({
    version: 1,
    name: "six-sites",
    start: isoUtc(START_MS),
    end: at(days, 1),
    seed,
    series: {
      roof: { file: "roof.csv", interpolation: "linear" },
      factory: { file: "factory.csv" },
    },
    frequency: { generator: {} },
    sites,
    vpps: [
      {
        name: "v",
        members: sites.map(({ name }) => ({
          site: name,
          resource_type: RESOURCE_TYPES[name] ?? "battery",
          allocation_weight: name === "roof" ? 0 : WEIGHTS[name],
          label: name,
        })),
      },
    ],
    awards,
    events,
  });
  const { roof, weather } = skyOf(stream, days);
  const file = "/six/scenario.yaml";
  const texts = new Map([
    [file, yaml],
    ["/six/roof.csv", roof],
    ["/six/factory.csv", loadOf(stream, days)],
  ]);
  const files = memoryFiles(texts);
  const served = readServedScenario(file, files);
  const nameOf = new Map(served.scenario.world.sites.map(({ emsId, name }) => [emsId, name]));
  const nameplates = new Map(BATTERIES.map(({ name, nameplateKwh }) => [name, nameplateKwh]));
  return {
    file,
    files,
    served,
    end: at(days, 0),
    truth,
    weather,
    disturb(path, body) {
      const answer = JSON.parse(body);
      const own = nameOf.get(path.split("/")[3]) ?? "";
      if (path.endsWith("/specifications")) return JSON.stringify(misstated(answer, nameplates.get(own)));
      if (!path.endsWith("/measurements/active_power")) return body;
      for (const record of answer.data) {
        const { members = [{ ...record, ems_id: path.split("/")[3] }] } = record;
        const arrived = members.flatMap((sample: Sample) =>
          disturbed(sample, nameOf.get(sample.ems_id) ?? "", uniforms(seed, record.timestamp, sample.ems_id)),
        );
        if (record.members !== undefined) record.members = arrived;
        else Object.assign(record, ...arrived);
      }
      return JSON.stringify(answer);
    },
  };
}

/** What arrives of a sample; empty: it is lost. */
function disturbed(sample: Sample, name: string, [loss, one, other, sky]: readonly number[]): Sample[] {
  const { current_kw, soc, irradiance_w_m2 } = sample;
  if (loss < LOSS_SHARE) return [];
  const noiseKw = NOISE_SHARE * RATINGS_KW[name] * normalOf(one, other);
  if (typeof current_kw === "number") sample.current_kw = round(current_kw + noiseKw, 0.1);
  if (typeof soc === "number") sample.soc = round(soc, SOC_DIGIT);
  if (typeof irradiance_w_m2 === "number")
    sample.irradiance_w_m2 = round(irradiance_w_m2 * (1 + SENSOR_NOISE * normalOf(sky, loss)), 0.1);
  return [sample];
}

const RESOURCE_TYPES: Readonly<Record<string, string>> = {
  roof: "generator",
  factory: "consumer",
  engine: "generator",
};

interface Sample {
  readonly ems_id: string;
  current_kw?: number | null;
  soc?: number | null;
  irradiance_w_m2?: number | null;
}

const round = (value: number, digit: number): number => Number((Math.round(value / digit) * digit).toFixed(3));

/** Four numbers from 0 to 1 that are the same for a sample wherever it is read. */
function uniforms(seed: number, timestamp: string, name: string): readonly number[] {
  const hash = createHash("md5").update(`${seed} ${timestamp} ${name}`).digest();
  return [0, 4, 8, 12].map((offset) => (hash.readUInt32LE(offset) + 0.5) / 2 ** 32);
}

const normalOf = (one: number, other: number): number => Math.sqrt(-2 * Math.log(one)) * Math.cos(2 * Math.PI * other);

/** A specification with other figures than the plant's. */
// biome-ignore lint/suspicious/noExplicitAny: an answer of the API
function misstated(specification: any, nameplateKwh: number | undefined): unknown {
  for (const component of specification.components ?? []) {
    if (nameplateKwh !== undefined) component.rated_cap = nameplateKwh;
    if (component.ramp_rate_kw_per_min !== undefined) component.ramp_rate_kw_per_min *= 1.3;
  }
  if (specification.site_capability?.fcr_config !== undefined && specification.site_capability.fcr_config !== null)
    Object.assign(specification.site_capability.fcr_config, {
      up_droop: 2,
      low_droop: 2,
      up_deadband: 0.01,
      low_deadband: 0.01,
    });
  return specification;
}

interface Draws {
  nextUniform(): number;
  nextNormal(): number;
}

/** Irradiance in the plane by ten minutes, with its weather; the weather also by the minute. */
function skyOf(stream: Draws, days: number): { readonly roof: string; readonly weather: string } {
  const roof = ["timestamp,poa_w_m2,temp_air_c,wind_m_s"];
  const weather = ["timestamp,temp_air_c,wind_m_s"];
  let cloud = 0;
  let before: readonly [number, number] | null = null;
  for (let minutes = 0; minutes <= (days + 1) * 1_440; minutes += 10) {
    if (minutes % 1_440 === 0) cloud = stream.nextUniform();
    const hour = (minutes % 1_440) / 60;
    const height = Math.sin((Math.PI * (hour - LATITUDE_SUN.rise)) / (LATITUDE_SUN.set - LATITUDE_SUN.rise));
    const clear = LATITUDE_SUN.rise < hour && hour < LATITUDE_SUN.set ? 950 * height ** 1.2 : 0;
    const poa = clear * Math.max(0.15, 1 - 0.7 * cloud * stream.nextUniform());
    const airC = Number((18 + 4 * cloud - 7 * Math.cos((2 * Math.PI * (hour - 3)) / 24)).toFixed(2));
    const windMPerS = Number((2 + 2 * stream.nextUniform()).toFixed(2));
    const atMs = START_MS + minutes * MS_PER_MINUTE;
    roof.push(`${isoUtc(atMs)},${poa.toFixed(2)},${airC},${windMPerS}`);
    for (let k = 0; before !== null && k < 10; k++) {
      const [air, wind] = [airC, windMPerS].map((value, j) => before![j] + (k / 10) * (value - before![j]));
      weather.push(`${isoUtc(atMs - (10 - k) * MS_PER_MINUTE)},${air.toFixed(3)},${wind.toFixed(3)}`);
    }
    before = [airC, windMPerS];
  }
  return { roof: `${roof.join("\n")}\n`, weather: `${weather.join("\n")}\n` };
}

const usualKw = (hour: number): number => 900 + 350 * Math.exp(-(((hour - 13) / 4.5) ** 2));

/** Load by five minutes, and a plan by half hours that is above its means and errs. */
function loadOf(stream: Draws, days: number): string {
  const rows = ["timestamp,load_kw,plan_kw"];
  let [error, fast] = [0, 0];
  let plan = 0;
  for (let minutes = 0; minutes <= (days + 1) * 1_440; minutes += 5) {
    const hour = (minutes % 1_440) / 60;
    const usual = usualKw(hour);
    fast = 0.9 * fast + 5 * stream.nextNormal();
    if (minutes % 30 === 0) {
      error = 0.7 * error + 14 * stream.nextNormal();
      plan = usualKw(hour + 0.25) + 12 + error;
    }
    rows.push(`${isoUtc(START_MS + minutes * MS_PER_MINUTE)},${(usual + fast).toFixed(2)},${plan.toFixed(1)}`);
  }
  return `${rows.join("\n")}\n`;
}
