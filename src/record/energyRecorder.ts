import { toThousandths } from "../base/rounding.ts";
import type { EpochMs } from "../base/time.ts";
import type { Vpp } from "../vpp/vpp.ts";
import type { BlockSink } from "./block.ts";
import { BLOCK_ROWS, BlockBuffer, instants, nameColumn, thousandths } from "./blockBuffer.ts";
import { ENERGY_FIELDS, type EnergyField, fieldsOf, fieldValue, roundRegisters } from "./energyFields.ts";
import { LEAF_COUNT, type SiteMeter } from "./siteMeter.ts";

/** One kWh column, and for each site whether it has the field. */
interface FieldColumn {
  readonly field: EnergyField;
  readonly values: Float64Array;
}

/**
 * Energy records of all sites, and of all VPPs, by interval from the start of the run; the last one is cut at its end.
 *
 * The value of a record is round(register at its end) − round(register at its start), so that records sum to the whole.
 */
export class EnergyRecorder {
  readonly #meters: readonly SiteMeter[];
  readonly #vpps: readonly Vpp[];
  readonly #uncoveredKwh: (vpp: number, atMs: EpochMs) => number;
  readonly #intervalMs: number;
  readonly #endMs: EpochMs;
  #startMs: EpochMs;
  /** Rounded registers at the last boundary and rounded values of the interval, site-major. */
  readonly #previous: Float64Array;
  readonly #values: Float64Array;
  readonly #previousUncovered: Float64Array;
  readonly #registers = new Float64Array(LEAF_COUNT);
  readonly #rounded = new Float64Array(LEAF_COUNT);
  readonly #sites: Writer | null;
  readonly #vppRows: Writer | null;
  /** For each site the positions in the columns of the fields it has. */
  readonly #fieldsOfSite: readonly (readonly number[])[];
  readonly #fields: readonly EnergyField[];

  constructor(options: {
    meters: readonly SiteMeter[];
    vpps: readonly Vpp[];
    /** Cumulative kWh uncovered by a VPP's awards. */
    uncoveredKwh: (vpp: number, atMs: EpochMs) => number;
    startMs: EpochMs;
    endMs: EpochMs;
    intervalMs: number;
    sites: BlockSink | null;
    vppSink: BlockSink | null;
  }) {
    const { meters } = options;
    this.#meters = meters;
    this.#vpps = options.vpps;
    this.#uncoveredKwh = options.uncoveredKwh;
    this.#intervalMs = options.intervalMs;
    this.#startMs = options.startMs;
    this.#endMs = options.endMs;
    this.#previous = new Float64Array(meters.length * LEAF_COUNT);
    this.#values = new Float64Array(meters.length * LEAF_COUNT);
    this.#previousUncovered = new Float64Array(options.vpps.length);
    const present = new Set(meters.flatMap(({ site }) => [...fieldsOf(site)]));
    this.#fields = ENERGY_FIELDS.filter((field) => present.has(field));
    this.#fieldsOfSite = meters.map(({ site }) => fieldsOf(site).map((field) => this.#fields.indexOf(field)));
    const names = meters.map(({ site }) => site.spec.name);
    this.#sites = options.sites && new Writer(options.sites, "site", names, this.#fields, []);
    const vppNames = options.vpps.map((vpp) => vpp.spec.name);
    this.#vppRows = options.vppSink && new Writer(options.vppSink, "vpp", vppNames, this.#fields, ["uncovered_kwh"]);
  }

  /** End of the interval at hand. */
  get dueMs(): EpochMs {
    return Math.min(this.#startMs + this.#intervalMs, this.#endMs);
  }

  /** Writes every record that ends at or before an instant up to which the present laws hold. */
  recordThrough(atMs: EpochMs): void {
    while (this.dueMs <= atMs && this.#startMs < this.#endMs) {
      const dueMs = this.dueMs;
      this.#readMeters(dueMs);
      if (this.#sites !== null) this.#writeSites(this.#sites, dueMs);
      if (this.#vppRows !== null) this.#writeVpps(this.#vppRows, dueMs);
      this.#startMs = dueMs;
    }
  }

  finish(): void {
    this.#sites?.buffer.flush();
    this.#vppRows?.buffer.flush();
  }

  #readMeters(atMs: EpochMs): void {
    const rounded = this.#rounded;
    for (let i = 0; i < this.#meters.length; i++) {
      this.#meters[i].read(atMs, this.#registers);
      roundRegisters(this.#registers, rounded);
      const base = i * LEAF_COUNT;
      for (let k = 0; k < LEAF_COUNT; k++) {
        this.#values[base + k] = rounded[k] - this.#previous[base + k];
        this.#previous[base + k] = rounded[k];
      }
    }
  }

  #writeSites(writer: Writer, endMs: EpochMs): void {
    for (let i = 0; i < this.#meters.length; i++) {
      const row = writer.begin(this.#startMs, endMs, i);
      const own = this.#fieldsOfSite[i];
      for (let k = 0; k < own.length; k++) {
        const { field, values } = writer.fields[own[k]];
        values[row] = fieldValue(field, this.#values, i * LEAF_COUNT);
      }
    }
  }

  #writeVpps(writer: Writer, endMs: EpochMs): void {
    for (const vpp of this.#vpps) {
      const row = writer.begin(this.#startMs, endMs, vpp.index);
      for (const { site } of vpp.members) {
        for (const f of this.#fieldsOfSite[site]) {
          const { field, values } = writer.fields[f];
          values[row] =
            (Number.isNaN(values[row]) ? 0 : values[row]) + fieldValue(field, this.#values, site * LEAF_COUNT);
        }
      }
      const uncovered = toThousandths(this.#uncoveredKwh(vpp.index, endMs));
      writer.extra[0].values[row] = uncovered - this.#previousUncovered[vpp.index];
      this.#previousUncovered[vpp.index] = uncovered;
    }
  }
}

/** Rows of start, end, name and kWh columns. */
class Writer {
  readonly buffer: BlockBuffer;
  readonly fields: readonly FieldColumn[];
  readonly extra: readonly { readonly values: Float64Array }[];
  readonly #start = instants("start");
  readonly #end = instants("end");
  readonly #name: { readonly values: Int32Array };

  constructor(
    sink: BlockSink,
    nameHeader: string,
    names: readonly string[],
    fields: readonly EnergyField[],
    extra: readonly string[],
  ) {
    const name = nameColumn(nameHeader, names);
    this.#name = name;
    const fieldColumns = fields.map(thousandths);
    const extraColumns = extra.map(thousandths);
    this.fields = fieldColumns.map((column, k) => ({ field: fields[k], values: column.values }));
    this.extra = extraColumns;
    this.buffer = new BlockBuffer(sink, [this.#start, this.#end, name, ...fieldColumns, ...extraColumns], BLOCK_ROWS);
  }

  /** A new row in which no field applies yet. */
  begin(startMs: EpochMs, endMs: EpochMs, name: number): number {
    const row = this.buffer.nextRow();
    this.#start.values[row] = startMs;
    this.#end.values[row] = endMs;
    this.#name.values[row] = name;
    for (const { values } of this.fields) values[row] = Number.NaN;
    return row;
  }
}
