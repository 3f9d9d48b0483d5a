import { toThousandths } from "../../base/rounding.ts";
import type { EpochMs } from "../../base/time.ts";
import type { Site } from "../../site/site.ts";
import type { Vpp } from "../../vpp/vpp.ts";
import { closeSums, leavesOf, registerCount } from "../meters/partLeaves.ts";
import type { SiteMeter } from "../meters/siteMeter.ts";
import type { BlockSink } from "./block.ts";
import { BLOCK_ROWS, BlockBuffer, instants, nameColumn, thousandths } from "./blockBuffer.ts";
import { ENERGY_FIELDS, type EnergyField, fieldsOf, fieldValue, leafOf } from "./energyFields.ts";
import { PartsTable } from "./partsTable.ts";

/** One kWh column, and the leaf it copies or -1. */
interface FieldColumn {
  readonly field: EnergyField;
  readonly leaf: number;
  readonly values: Float64Array;
}

/**
 * Energy records of all sites, and of all VPPs, by interval from the start of the run; the last one is cut at its end.
 *
 * The value of a record is round(register at its end) − round(register at its start), so that records sum to the whole.
 */
export class EnergyRecorder {
  private readonly meters: readonly SiteMeter[];
  private readonly vpps: readonly Vpp[];
  private readonly uncoveredKwh: (vpp: number, atMs: EpochMs) => number;
  private readonly intervalMs: number;
  private readonly endMs: EpochMs;
  private startMs: EpochMs;
  /** Rounded registers at the last boundary and rounded values of the interval, site-major; absent leaves stay 0. */
  private readonly previous: Float64Array;
  private readonly values: Float64Array;
  private readonly previousUncovered: Float64Array;
  private readonly sites: Writer | null;
  private readonly vppRows: Writer | null;
  private readonly parts: PartsTable | null;
  /** Where each site's registers begin, and which of them are read. */
  private readonly base: Int32Array;
  private readonly leaves: readonly (readonly number[])[];
  /** For each site the fields it has, as positions in the columns. */
  private readonly fieldsOfSite: readonly (readonly number[])[];
  /** For each site the columns of its row. */
  private readonly columnsOfSite: readonly (readonly FieldColumn[])[];

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
    /** Components of sites that have several. */
    partsSink: BlockSink | null;
  }) {
    const { meters } = options;
    this.meters = meters;
    this.vpps = options.vpps;
    this.uncoveredKwh = options.uncoveredKwh;
    this.intervalMs = options.intervalMs;
    this.startMs = options.startMs;
    this.endMs = options.endMs;
    this.base = new Int32Array(meters.length + 1);
    for (let i = 0; i < meters.length; i++) this.base[i + 1] = this.base[i] + registerCount(meters[i].site);
    this.leaves = meters.map(({ site }) => leavesOf(site));
    this.previous = new Float64Array(this.base[meters.length]);
    this.values = new Float64Array(this.base[meters.length]);
    this.previousUncovered = new Float64Array(options.vpps.length);
    const present = new Set(meters.flatMap(({ site }) => [...fieldsOf(site)]));
    const fields = ENERGY_FIELDS.filter((field) => present.has(field));
    this.fieldsOfSite = meters.map(({ site }) => fieldsOf(site).map((field) => fields.indexOf(field)));
    const names = meters.map(({ site }) => site.spec.name);
    this.sites = options.sites && new Writer(options.sites, "site", names, fields, []);
    this.columnsOfSite = this.fieldsOfSite.map((own, i) =>
      own.map((k) => columnOf(this.sites?.fields[k] ?? NO_FIELD, meters[i].site)),
    );
    const sites = meters.map(({ site }) => site);
    this.parts = options.partsSink && PartsTable.of(options.partsSink, sites, this.base);
    const vppNames = options.vpps.map((vpp) => vpp.spec.name);
    this.vppRows = options.vppSink && new Writer(options.vppSink, "vpp", vppNames, fields, ["uncovered_kwh"]);
  }

  /** End of the interval at hand; `Infinity` after the last one. */
  get dueMs(): EpochMs {
    if (this.endMs <= this.startMs) return Number.POSITIVE_INFINITY;
    return Math.min(this.startMs + this.intervalMs, this.endMs);
  }

  /** Writes every record that ends at or before an instant up to which the present laws hold. */
  recordThrough(atMs: EpochMs): void {
    for (let dueMs = this.dueMs; dueMs <= atMs; dueMs = this.dueMs) {
      this.readMeters(dueMs);
      if (this.sites !== null) this.writeSites(this.sites, dueMs);
      this.parts?.write(this.startMs, dueMs, this.values);
      if (this.vppRows !== null) this.writeVpps(this.vppRows, dueMs);
      this.startMs = dueMs;
    }
  }

  finish(): void {
    this.sites?.buffer.flush();
    this.vppRows?.buffer.flush();
    this.parts?.finish();
  }

  private readMeters(atMs: EpochMs): void {
    const values = this.values;
    const previous = this.previous;
    for (let i = 0; i < this.meters.length; i++) {
      const meter = this.meters[i];
      const registers = meter.read(atMs);
      const leaves = this.leaves[i];
      const base = this.base[i];
      for (let n = 0; n < leaves.length; n++) {
        const k = leaves[n];
        const rounded = toThousandths(registers[k]);
        values[base + k] = rounded - previous[base + k];
        previous[base + k] = rounded;
      }
      closeSums(meter.site, values, base);
    }
  }

  /** A row for every site, in order; columns that a site does not have keep what `Writer` began them with. */
  private writeSites(writer: Writer, endMs: EpochMs): void {
    const values = this.values;
    for (let i = 0; i < this.meters.length; i++) {
      const row = writer.begin(this.startMs, endMs);
      const columns = this.columnsOfSite[i];
      const base = this.base[i];
      const { site } = this.meters[i];
      for (let k = 0; k < columns.length; k++) {
        const { leaf, field, values: cells } = columns[k];
        cells[row] = leaf >= 0 ? values[base + leaf] : fieldValue(field, site, values, base);
      }
    }
  }

  /** A VPP has the fields of the members it has now. */
  private writeVpps(writer: Writer, endMs: EpochMs): void {
    for (const vpp of this.vpps) {
      const row = writer.begin(this.startMs, endMs);
      for (const { values } of writer.fields) values[row] = Number.NaN;
      for (const { site } of vpp.members) {
        for (const f of this.fieldsOfSite[site]) {
          const { field, values } = writer.fields[f];
          values[row] =
            (Number.isNaN(values[row]) ? 0 : values[row]) +
            fieldValue(field, this.meters[site].site, this.values, this.base[site]);
        }
      }
      const uncovered = toThousandths(this.uncoveredKwh(vpp.index, endMs));
      writer.extra[0].values[row] = uncovered - this.previousUncovered[vpp.index];
      this.previousUncovered[vpp.index] = uncovered;
    }
  }
}

interface Field {
  readonly field: EnergyField;
  readonly values: Float64Array;
}

const NO_FIELD: Field = { field: "import_kwh", values: new Float64Array(0) };

const columnOf = ({ field, values }: Field, site: Site): FieldColumn => ({ field, values, leaf: leafOf(field, site) });

/**
 * Rows of start, end, name and kWh columns: one row for each name, in order, again and again.
 *
 * A block holds whole rounds, so that a row of it always belongs to the same name: names, and the NaN of fields that a
 * name does not have, are written once.
 */
class Writer {
  readonly buffer: BlockBuffer;
  readonly fields: readonly Field[];
  readonly extra: readonly { readonly values: Float64Array }[];
  private readonly start: { readonly values: Float64Array };
  private readonly end: { readonly values: Float64Array };

  constructor(
    sink: BlockSink,
    nameHeader: string,
    names: readonly string[],
    fields: readonly EnergyField[],
    extra: readonly string[],
  ) {
    const count = Math.max(1, names.length);
    const rows = count * Math.max(1, Math.floor(BLOCK_ROWS / count));
    const start = instants("start", rows);
    const end = instants("end", rows);
    const name = nameColumn(nameHeader, names, rows);
    for (let row = 0; row < rows; row++) name.values[row] = row % count;
    const fieldColumns = fields.map((field) => thousandths(field, rows));
    for (const { values } of fieldColumns) values.fill(Number.NaN);
    const extraColumns = extra.map((header) => thousandths(header, rows));
    this.start = start;
    this.end = end;
    this.fields = fieldColumns.map(({ values }, k) => ({ field: fields[k], values }));
    this.extra = extraColumns;
    this.buffer = new BlockBuffer(sink, [start, end, name, ...fieldColumns, ...extraColumns], rows);
  }

  begin(startMs: EpochMs, endMs: EpochMs): number {
    const row = this.buffer.nextRow();
    this.start.values[row] = startMs;
    this.end.values[row] = endMs;
    return row;
  }
}
