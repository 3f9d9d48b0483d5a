import { toThousandths } from "../../base/rounding.ts";
import type { EpochMs } from "../../base/time.ts";
import { ENERGY_FIELDS, type EnergyField } from "../../site/meters/energyFields.ts";
import type { Site } from "../../site/site.ts";
import type { Vpp } from "../../vpp/vpp.ts";
import { computeSumRegisters, registerCount, registersOf } from "../meters/componentRegisters.ts";
import type { SiteMeter } from "../meters/siteMeter.ts";
import { BLOCK_ROWS, BlockBuffer, instantColumn, nameColumn, thousandthsColumn } from "./blockBuffer.ts";
import { ComponentRecorder } from "./componentRecorder.ts";
import { energyFieldsOf, energyFieldValue, registerOfField } from "./energyFields.ts";
import type { BlockSink } from "./tableBlock.ts";

/** One kWh column, and the register that it equals or -1. */
interface FieldColumn {
  readonly field: EnergyField;
  readonly register: number;
  readonly values: Float64Array;
}

/**
 * Energy records of all sites and of all VPPs, by interval from the start of the run; the last record ends with the
 * run.
 *
 * The value of a record is round(register at its end) − round(register at its start), so that records sum to the whole.
 */
export class EnergyRecorder {
  private readonly meters: readonly SiteMeter[];
  private readonly vpps: readonly Vpp[];
  private readonly readUncoveredKwh: (vpp: number, atMs: EpochMs) => number;
  private readonly intervalMs: number;
  private readonly endMs: EpochMs;
  private startMs: EpochMs;
  /**
   * Rounded registers at the last boundary and rounded values of the interval, site-major; registers that a site does
   * not have stay 0.
   */
  private readonly previousRegisters: Float64Array;
  private readonly energyValues: Float64Array;
  private readonly previousUncoveredWh: Float64Array;
  private readonly siteWriter: EnergyTableWriter | null;
  private readonly vppWriter: EnergyTableWriter | null;
  private readonly componentRecorder: ComponentRecorder | null;
  /** Offset of each site's registers, and which of them are read. */
  private readonly registerBase: Int32Array;
  private readonly registersOfSite: readonly (readonly number[])[];
  /** Fields of each site, as column indices. */
  private readonly fieldsOfSite: readonly (readonly number[])[];
  /** For each site the columns of its row. */
  private readonly columnsOfSite: readonly (readonly FieldColumn[])[];

  constructor(options: {
    meters: readonly SiteMeter[];
    vpps: readonly Vpp[];
    /** Returns the cumulative kWh uncovered by a VPP's awards. */
    uncoveredKwh: (vpp: number, atMs: EpochMs) => number;
    startMs: EpochMs;
    endMs: EpochMs;
    intervalMs: number;
    sites: BlockSink | null;
    vppSink: BlockSink | null;
    /** Components of sites with several of them. */
    partsSink: BlockSink | null;
  }) {
    const { meters } = options;
    this.meters = meters;
    this.vpps = options.vpps;
    this.readUncoveredKwh = options.uncoveredKwh;
    this.intervalMs = options.intervalMs;
    this.startMs = options.startMs;
    this.endMs = options.endMs;
    this.registerBase = new Int32Array(meters.length + 1);
    for (let i = 0; i < meters.length; i++)
      this.registerBase[i + 1] = this.registerBase[i] + registerCount(meters[i].site);
    this.registersOfSite = meters.map(({ site }) => registersOf(site));
    this.previousRegisters = new Float64Array(this.registerBase[meters.length]);
    this.energyValues = new Float64Array(this.registerBase[meters.length]);
    this.previousUncoveredWh = new Float64Array(options.vpps.length);
    const present = new Set(meters.flatMap(({ site }) => [...energyFieldsOf(site)]));
    const fields = ENERGY_FIELDS.filter((field) => present.has(field));
    this.fieldsOfSite = meters.map(({ site }) => energyFieldsOf(site).map((field) => fields.indexOf(field)));
    const names = meters.map(({ site }) => site.spec.name);
    this.siteWriter = options.sites && new EnergyTableWriter(options.sites, "site", names, fields, []);
    this.columnsOfSite = this.fieldsOfSite.map((own, i) =>
      own.map((k) => columnOf(this.siteWriter?.fields[k] ?? NO_FIELD, meters[i].site)),
    );
    const sites = meters.map(({ site }) => site);
    this.componentRecorder = options.partsSink && ComponentRecorder.create(options.partsSink, sites, this.registerBase);
    const vppNames = options.vpps.map((vpp) => vpp.spec.name);
    this.vppWriter =
      options.vppSink && new EnergyTableWriter(options.vppSink, "vpp", vppNames, fields, ["uncovered_kwh"]);
  }

  /** End of the current interval; `Infinity` after the last one. */
  get dueMs(): EpochMs {
    if (this.endMs <= this.startMs) return Number.POSITIVE_INFINITY;
    return Math.min(this.startMs + this.intervalMs, this.endMs);
  }

  /** Writes every record that ends at or before an instant up to which the current trajectories hold. */
  recordThrough(atMs: EpochMs): void {
    for (let dueMs = this.dueMs; dueMs <= atMs; dueMs = this.dueMs) {
      this.readMeters(dueMs);
      if (this.siteWriter !== null) this.writeSites(this.siteWriter, dueMs);
      this.componentRecorder?.writeInterval(this.startMs, dueMs, this.energyValues);
      if (this.vppWriter !== null) this.writeVpps(this.vppWriter, dueMs);
      this.startMs = dueMs;
    }
  }

  /** Passes the rows so far to the tables. */
  flush(): void {
    this.siteWriter?.buffer.flush();
    this.vppWriter?.buffer.flush();
    this.componentRecorder?.flush();
  }

  private readMeters(atMs: EpochMs): void {
    const values = this.energyValues;
    const previous = this.previousRegisters;
    for (let i = 0; i < this.meters.length; i++) {
      const meter = this.meters[i];
      const registers = meter.read(atMs);
      const registerIndices = this.registersOfSite[i];
      const base = this.registerBase[i];
      for (let n = 0; n < registerIndices.length; n++) {
        const k = registerIndices[n];
        const rounded = toThousandths(registers[k]);
        values[base + k] = rounded - previous[base + k];
        previous[base + k] = rounded;
      }
      computeSumRegisters(meter.site, values, base);
    }
  }

  /** Writes one row per site, in order; columns that a site does not have stay NaN. */
  private writeSites(writer: EnergyTableWriter, endMs: EpochMs): void {
    const values = this.energyValues;
    for (let i = 0; i < this.meters.length; i++) {
      const row = writer.beginRow(this.startMs, endMs);
      const columns = this.columnsOfSite[i];
      const base = this.registerBase[i];
      const { site } = this.meters[i];
      for (let k = 0; k < columns.length; k++) {
        const { register, field, values: cells } = columns[k];
        cells[row] = register >= 0 ? values[base + register] : energyFieldValue(field, site, values, base);
      }
    }
  }

  /** A VPP has the fields of its current members. */
  private writeVpps(writer: EnergyTableWriter, endMs: EpochMs): void {
    for (const vpp of this.vpps) {
      const row = writer.beginRow(this.startMs, endMs);
      for (const { values } of writer.fields) values[row] = Number.NaN;
      for (const { site } of vpp.members) {
        for (const f of this.fieldsOfSite[site]) {
          const { field, values } = writer.fields[f];
          values[row] =
            (Number.isNaN(values[row]) ? 0 : values[row]) +
            energyFieldValue(field, this.meters[site].site, this.energyValues, this.registerBase[site]);
        }
      }
      const uncovered = toThousandths(this.readUncoveredKwh(vpp.index, endMs));
      writer.extraColumns[0].values[row] = uncovered - this.previousUncoveredWh[vpp.index];
      this.previousUncoveredWh[vpp.index] = uncovered;
    }
  }
}

interface WrittenField {
  readonly field: EnergyField;
  readonly values: Float64Array;
}

const NO_FIELD: WrittenField = { field: "import_kwh", values: new Float64Array(0) };

const columnOf = ({ field, values }: WrittenField, site: Site): FieldColumn => ({
  field,
  values,
  register: registerOfField(field, site),
});

/**
 * Rows of start, end, name and kWh columns, one row per name in a fixed order in each interval.
 *
 * A block holds whole intervals, so that a row index always belongs to the same name. Names, and the NaN of fields that
 * a name does not have, are therefore written once.
 */
class EnergyTableWriter {
  readonly buffer: BlockBuffer;
  readonly fields: readonly WrittenField[];
  readonly extraColumns: readonly { readonly values: Float64Array }[];
  private readonly startColumn: { readonly values: Float64Array };
  private readonly endColumn: { readonly values: Float64Array };

  constructor(
    sink: BlockSink,
    nameHeader: string,
    names: readonly string[],
    fields: readonly EnergyField[],
    extra: readonly string[],
  ) {
    const count = Math.max(1, names.length);
    const rows = count * Math.max(1, Math.floor(BLOCK_ROWS / count));
    const start = instantColumn("start", rows);
    const end = instantColumn("end", rows);
    const name = nameColumn(nameHeader, names, rows);
    for (let row = 0; row < rows; row++) name.values[row] = row % count;
    const fieldColumns = fields.map((field) => thousandthsColumn(field, rows));
    for (const { values } of fieldColumns) values.fill(Number.NaN);
    const extraColumns = extra.map((header) => thousandthsColumn(header, rows));
    this.startColumn = start;
    this.endColumn = end;
    this.fields = fieldColumns.map(({ values }, k) => ({ field: fields[k], values }));
    this.extraColumns = extraColumns;
    this.buffer = new BlockBuffer(sink, [start, end, name, ...fieldColumns, ...extraColumns], rows);
  }

  beginRow(startMs: EpochMs, endMs: EpochMs): number {
    const row = this.buffer.nextRow();
    this.startColumn.values[row] = startMs;
    this.endColumn.values[row] = endMs;
    return row;
  }
}
