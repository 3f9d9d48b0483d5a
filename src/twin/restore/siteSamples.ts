import type { EpochMs } from "../../base/time.ts";
import type { SitePowerHistory, VppEnergyHistory, VppPowerHistory } from "../read/vppReader.ts";

const noValues = () => ({
  current_kw: [] as number[],
  baseline_kw: [] as number[],
  dispatched_delta_kw: [] as number[],
  fcr_response_kw: [] as number[],
  soc: [] as number[],
  irradiance_w_m2: [] as number[],
  output_control_limit: [] as number[],
  dr_active: [] as number[],
  dr_target_reduction_kw: [] as number[],
  actual_frequency: [] as number[],
});

type Quantity = keyof ReturnType<typeof noValues>;

/** Quantities of a sample; NaN: null, or not in the history. kW, %, W/m², Hz. */
export const QUANTITIES = Object.keys(noValues()) as readonly Quantity[];

type ComponentRecord = Omit<NonNullable<SitePowerHistory["data"][number]["components"]>[number], "component_type">;

/** One sample of a history, of the VPP's or of a site's own. */
type SampleRecord = Partial<Readonly<Record<Quantity, number | null>>> & {
  readonly active_sku?: string | null;
  readonly components?: readonly ComponentRecord[];
};

/** One component of several, in the rows of the site; NaN: null, or not in the history. */
export interface ComponentSamples {
  readonly currentKw: readonly number[];
  readonly socPct: readonly number[];
  /** 1 while it is reduced. */
  readonly drActive: readonly number[];
}

/** The samples of a site in order of time: a row where the history has the site, whether it is in service or not. */
export class SiteSamples {
  readonly atMs: EpochMs[] = [];
  readonly values: Readonly<Record<Quantity, number[]>> = noValues();
  readonly sku: (string | null)[] = [];
  /** By row; none where the site has one component. */
  readonly components: (readonly ComponentRecord[])[] = [];

  get length(): number {
    return this.atMs.length;
  }

  add(atMs: EpochMs, record: SampleRecord): void {
    this.atMs.push(atMs);
    this.sku.push(record.active_sku ?? null);
    this.components.push(record.components ?? []);
    for (const quantity of QUANTITIES) this.values[quantity].push(record[quantity] ?? Number.NaN);
  }

  has(quantity: Quantity): boolean {
    return this.values[quantity].some((value) => !Number.isNaN(value));
  }

  isInService(row: number): boolean {
    return Number.isFinite(this.values.current_kw[row]);
  }

  /** Whether an instruction or a direct order is in force. */
  isInOrder(row: number): boolean {
    return !Number.isNaN(this.values.dispatched_delta_kw[row]) || !Number.isNaN(this.values.fcr_response_kw[row]);
  }

  get hasComponents(): boolean {
    return this.components.some(({ length }) => length > 0);
  }

  /** `null` where the history does not have it. */
  componentOf(id: string): ComponentSamples | null {
    const records = this.components.map((row) => row.find(({ component_id }) => component_id === id));
    if (records.every((record) => record === undefined)) return null;
    return {
      currentKw: records.map((record) => record?.current_kw ?? Number.NaN),
      socPct: records.map((record) => record?.soc ?? Number.NaN),
      drActive: records.map((record) => record?.dr_active ?? Number.NaN),
    };
  }
}

/** Adds the samples of an answer to those of its members. */
export function addVppHistory(samplesOf: ReadonlyMap<string, SiteSamples>, { data }: VppPowerHistory): void {
  for (const { timestamp, members } of data)
    for (const { ems_id, ...record } of members) samplesOf.get(ems_id)?.add(Date.parse(timestamp), record);
}

/** Energy by half hours. */
export class SiteEnergy {
  readonly atMs: EpochMs[] = [];
  readonly importKwh: number[] = [];
  readonly exportKwh: number[] = [];
}

export function addEnergy(energyOf: ReadonlyMap<string, SiteEnergy>, { data }: VppEnergyHistory): void {
  for (const { start_time, members } of data)
    for (const { ems_id, import_kwh = 0, export_kwh = 0 } of members) {
      const energy = energyOf.get(ems_id);
      energy?.atMs.push(Date.parse(start_time));
      energy?.importKwh.push(import_kwh);
      energy?.exportKwh.push(export_kwh);
    }
}

/** The samples of the VPP's history with those of the site's own history at the instants that it does not have. */
export function withOwnHistory(samples: SiteSamples, own: readonly SitePowerHistory[]): SiteSamples {
  if (own.length === 0) return samples;
  const records = new Map<EpochMs, SampleRecord>();
  for (const { data } of own) for (const record of data) records.set(Date.parse(record.timestamp), record);
  samples.atMs.forEach((atMs, row) => {
    records.set(atMs, recordAt(samples, row));
  });
  const merged = new SiteSamples();
  for (const [atMs, record] of [...records].sort(([a], [b]) => a - b)) merged.add(atMs, record);
  return merged;
}

const recordAt = ({ values, sku, components }: SiteSamples, row: number): SampleRecord => ({
  ...Object.fromEntries(QUANTITIES.map((quantity) => [quantity, values[quantity][row]])),
  active_sku: sku[row],
  components: components[row],
});
