import type { EpochMs } from "../../base/time.ts";
import type { SitePowerHistory, VppPowerHistory } from "../read/vppReader.ts";

/** Quantities of a sample; NaN: null, or not in the history. kW, %, W/m², Hz. */
export const QUANTITIES = [
  "current_kw",
  "baseline_kw",
  "dispatched_delta_kw",
  "fcr_response_kw",
  "soc",
  "irradiance_w_m2",
  "output_control_limit",
  "dr_active",
  "dr_target_reduction_kw",
  "actual_frequency",
] as const;
export type Quantity = (typeof QUANTITIES)[number];

type ComponentRecord = NonNullable<SitePowerHistory["data"][number]["components"]>[number];

/** One sample of a history, of the VPP's or of a site's own. */
type SampleRecord = Partial<Readonly<Record<Quantity, number | null>>> & {
  readonly active_sku?: string | null;
  readonly components?: readonly Omit<ComponentRecord, "component_type">[];
};

/** Power of one component of several, in the rows of the site. */
export interface ComponentSamples {
  readonly currentKw: number[];
  readonly socPct: number[];
  /** 1 while it is reduced. */
  readonly drActive: number[];
}

/** The samples of a site in order of time: a row where the history has the site, whether it is in service or not. */
export class SiteSamples {
  readonly atMs: EpochMs[] = [];
  readonly values: Readonly<Record<Quantity, number[]>>;
  readonly sku: (string | null)[] = [];
  readonly components = new Map<string, ComponentSamples>();

  constructor() {
    this.values = {
      current_kw: [],
      baseline_kw: [],
      dispatched_delta_kw: [],
      fcr_response_kw: [],
      soc: [],
      irradiance_w_m2: [],
      output_control_limit: [],
      dr_active: [],
      dr_target_reduction_kw: [],
      actual_frequency: [],
    };
  }

  get length(): number {
    return this.atMs.length;
  }

  add(atMs: EpochMs, record: SampleRecord): void {
    const row = this.atMs.length;
    this.atMs.push(atMs);
    this.sku.push(record.active_sku ?? null);
    for (const quantity of QUANTITIES) this.values[quantity].push(record[quantity] ?? Number.NaN);
    for (const { component_id, current_kw, soc, dr_active } of record.components ?? []) {
      const samples = this.componentOf(component_id, row);
      samples.currentKw[row] = current_kw ?? Number.NaN;
      samples.socPct[row] = soc ?? Number.NaN;
      samples.drActive[row] = dr_active ?? Number.NaN;
    }
  }

  isInService(row: number): boolean {
    return !Number.isNaN(this.values.current_kw[row]);
  }

  /** Whether an instruction or a direct order is in force. */
  isInOrder(row: number): boolean {
    return !Number.isNaN(this.values.dispatched_delta_kw[row]) || !Number.isNaN(this.values.fcr_response_kw[row]);
  }

  private componentOf(id: string, row: number): ComponentSamples {
    const known = this.components.get(id);
    if (known !== undefined) return known;
    const nothing = () => new Array<number>(row).fill(Number.NaN);
    const samples = { currentKw: nothing(), socPct: nothing(), drActive: nothing() };
    this.components.set(id, samples);
    return samples;
  }
}

/** Adds the samples of an answer to those of its members. */
export function addVppHistory(samplesOf: ReadonlyMap<string, SiteSamples>, history: VppPowerHistory): void {
  for (const { timestamp, members } of history.data) {
    const atMs = Date.parse(timestamp);
    for (const { ems_id, ...record } of members) samplesOf.get(ems_id)?.add(atMs, record);
  }
}

/** The samples of the VPP's history with those of the site's own history at the instants that it does not have. */
export function withOwnHistory(samples: SiteSamples, own: readonly SitePowerHistory[]): SiteSamples {
  const missing = new Map<EpochMs, SitePowerHistory["data"][number]>();
  const known = new Set(samples.atMs);
  for (const { data } of own)
    for (const record of data) {
      const atMs = Date.parse(record.timestamp);
      if (!known.has(atMs)) missing.set(atMs, record);
    }
  if (missing.size === 0) return samples;
  const merged = new SiteSamples();
  const rowAt = new Map(samples.atMs.map((atMs, row) => [atMs, row]));
  for (const atMs of [...known, ...missing.keys()].sort((a, b) => a - b)) {
    const record = missing.get(atMs);
    merged.add(atMs, record ?? recordAt(samples, rowAt.get(atMs) ?? 0));
  }
  return merged;
}

function recordAt(samples: SiteSamples, row: number): SampleRecord {
  const quantities = Object.fromEntries(QUANTITIES.map((quantity) => [quantity, samples.values[quantity][row]]));
  const components = [...samples.components].map(([component_id, { currentKw, socPct, drActive }]) => ({
    component_id,
    current_kw: currentKw[row],
    soc: socPct[row],
    dr_active: drActive[row] === 1 ? (1 as const) : (0 as const),
  }));
  return { ...quantities, active_sku: samples.sku[row], components };
}

/** A run of rows. */
interface RowRun {
  readonly first: number;
  /** The last row of the run. */
  readonly last: number;
}

/** The longest runs of rows that fulfil a condition. */
export function runsOf(rows: number, holds: (row: number) => boolean): RowRun[] {
  const runs: { first: number; last: number }[] = [];
  for (let row = 0; row < rows; row++) {
    if (!holds(row)) continue;
    const run = runs.at(-1);
    if (run !== undefined && run.last === row - 1) run.last = row;
    else runs.push({ first: row, last: row });
  }
  return runs;
}
