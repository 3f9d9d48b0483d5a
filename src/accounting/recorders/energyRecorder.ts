import { toThousandths } from "../../base/rounding.ts";
import type { EpochMs } from "../../base/time.ts";
import type { EnergyField } from "../../engine/site/meters/energyRegisters.ts";
import type { Site } from "../../engine/site/site.ts";
import type { Vpp } from "../../engine/vpp/vpp.ts";
import { computeSumRegisters, registerCount, registersOf } from "../meters/componentRegisters.ts";
import type { SiteMeter } from "../meters/compositeMeter.ts";
import { ComponentRecorder } from "./componentRecorder.ts";
import { energyFieldsOf, type RegisterSum, registersOfField, sumRegisters } from "./energyFields.ts";
import { BLOCK_ROWS, BlockBuffer, type BlockSink, instantColumn, nameColumn, thousandthsColumn } from "./tableBlock.ts";

/** One kWh field of a site. */
interface FieldSource {
  /** Index of the field among those of the world. */
  readonly field: number;
  /** The registers whose values add up to it, and the register that it equals or -1. */
  readonly registers: RegisterSum;
  readonly register: number;
}

/** What is read of one site in each interval. */
interface SiteReading {
  readonly meter: SiteMeter;
  /** Offset of its registers among those of all sites, and which of them are metered. */
  readonly base: number;
  readonly registers: Int32Array;
  /** Whether it has sums of the registers of its components. */
  readonly hasComponents: boolean;
  readonly fields: readonly FieldSource[];
}

/**
 * Energy records of all sites and of all VPPs, by interval from the start of the run; the last record ends with the
 * run.
 *
 * The value of a record is round(register at its end) − round(register at its start), so that records sum to the whole.
 */
export class EnergyRecorder {
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
  private readonly readings: readonly SiteReading[];

  constructor(options: {
    meters: readonly SiteMeter[];
    vpps: readonly Vpp[];
    /** Returns the cumulative kWh uncovered by a VPP's awards. */
    uncoveredKwh: (vpp: number, atMs: EpochMs) => number;
    startMs: EpochMs;
    endMs: EpochMs;
    intervalMs: number;
    /** Of the sites of the world, in order; those that a site does not have are empty in its rows. */
    fields: readonly EnergyField[];
    sites: BlockSink | null;
    vppSink: BlockSink | null;
    /** Components of sites with several of them. */
    partsSink: BlockSink | null;
  }) {
    const { meters } = options;
    this.vpps = options.vpps;
    this.readUncoveredKwh = options.uncoveredKwh;
    this.intervalMs = options.intervalMs;
    this.startMs = options.startMs;
    this.endMs = options.endMs;
    const registerBase = new Int32Array(meters.length + 1);
    for (let i = 0; i < meters.length; i++) registerBase[i + 1] = registerBase[i] + registerCount(meters[i].site);
    this.previousRegisters = new Float64Array(registerBase[meters.length]);
    this.energyValues = new Float64Array(registerBase[meters.length]);
    this.previousUncoveredWh = new Float64Array(options.vpps.length);
    const { fields } = options;
    const intervals = Math.ceil((options.endMs - options.startMs) / options.intervalMs);
    const names = meters.map(({ site }) => site.spec.name);
    this.siteWriter = options.sites && new EnergyTableWriter(options.sites, "site", names, fields, [], intervals);
    this.readings = meters.map((meter, i) => ({
      meter,
      base: registerBase[i],
      registers: Int32Array.from(registersOf(meter.site)),
      hasComponents: meter.site.resource.composite !== null,
      fields: energyFieldsOf(meter.site.spec).map((field) => sourceOf(field, fields, meter.site)),
    }));
    const sites = meters.map(({ site }) => site);
    this.componentRecorder = options.partsSink && ComponentRecorder.create(options.partsSink, sites, registerBase);
    const vppNames = options.vpps.map((vpp) => vpp.spec.name);
    this.vppWriter =
      options.vppSink && new EnergyTableWriter(options.vppSink, "vpp", vppNames, fields, ["uncovered_kwh"], intervals);
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
    const { readings, energyValues: values, previousRegisters: previous } = this;
    for (let i = 0; i < readings.length; i++) {
      const { meter, base, registers: indices, hasComponents } = readings[i];
      const registers = meter.read(atMs);
      for (let n = 0; n < indices.length; n++) {
        const k = indices[n];
        const rounded = toThousandths(registers[k]);
        values[base + k] = rounded - previous[base + k];
        previous[base + k] = rounded;
      }
      if (hasComponents) computeSumRegisters(meter.site, values, base);
    }
  }

  /** One row per site, in order; columns that a site does not have stay NaN. */
  private writeSites(writer: EnergyTableWriter, endMs: EpochMs): void {
    const firstRow = writer.beginRows(this.startMs, endMs);
    const { readings, energyValues } = this;
    const { cells } = writer;
    for (let i = 0; i < readings.length; i++) {
      const { fields, base } = readings[i];
      for (let k = 0; k < fields.length; k++)
        cells[fields[k].field][firstRow + i] = fieldValue(fields[k], energyValues, base);
    }
  }

  /** A VPP has the fields of its current members. */
  private writeVpps(writer: EnergyTableWriter, endMs: EpochMs): void {
    const firstRow = writer.beginRows(this.startMs, endMs);
    for (let v = 0; v < this.vpps.length; v++) {
      const row = firstRow + v;
      this.sumMembers(this.vpps[v], writer.cells, row);
      const uncovered = toThousandths(this.readUncoveredKwh(v, endMs));
      writer.extraCells[0][row] = uncovered - this.previousUncoveredWh[v];
      this.previousUncoveredWh[v] = uncovered;
    }
  }

  private sumMembers({ members }: Vpp, cells: readonly Float64Array[], row: number): void {
    for (let f = 0; f < cells.length; f++) cells[f][row] = Number.NaN;
    for (let m = 0; m < members.length; m++) {
      const { fields, base } = this.readings[members[m].site];
      for (let k = 0; k < fields.length; k++) {
        const column = cells[fields[k].field];
        const sum = column[row];
        column[row] = (Number.isNaN(sum) ? 0 : sum) + fieldValue(fields[k], this.energyValues, base);
      }
    }
  }
}

function sourceOf(field: EnergyField, fields: readonly EnergyField[], site: Site): FieldSource {
  const registers = registersOfField(field, site);
  const { added, subtracted } = registers;
  const register = added.length === 1 && subtracted.length === 0 ? added[0] : -1;
  return { field: fields.indexOf(field), registers, register };
}

const fieldValue = ({ register, registers }: FieldSource, values: Float64Array, base: number): number =>
  register >= 0 ? values[base + register] : sumRegisters(registers, values, base);

/**
 * Rows of start, end, name and kWh columns, one row per name in a fixed order in each interval.
 *
 * A block holds whole intervals, so that a row index always belongs to the same name. Names, and the NaN of fields that
 * a name does not have, are therefore written once.
 */
class EnergyTableWriter {
  readonly buffer: BlockBuffer;
  /** Of each field and of each extra column. */
  readonly cells: readonly Float64Array[];
  readonly extraCells: readonly Float64Array[];
  private readonly nameCount: number;
  private readonly startMs: Float64Array;
  private readonly endMs: Float64Array;

  /** @param intervals  of the run */
  constructor(
    sink: BlockSink,
    nameHeader: string,
    names: readonly string[],
    fields: readonly EnergyField[],
    extra: readonly string[],
    intervals: number,
  ) {
    this.nameCount = names.length;
    const count = Math.max(1, names.length);
    const rows = count * Math.max(1, Math.min(intervals, Math.floor(BLOCK_ROWS / count)));
    const start = instantColumn("start", rows);
    const end = instantColumn("end", rows);
    const name = nameColumn(nameHeader, names, rows);
    for (let row = 0; row < rows; row++) name.values[row] = row % count;
    const fieldColumns = fields.map((field) => thousandthsColumn(field, rows));
    const extraColumns = extra.map((header) => thousandthsColumn(header, rows));
    this.startMs = start.values;
    this.endMs = end.values;
    this.cells = fieldColumns.map(({ values }) => values.fill(Number.NaN));
    this.extraCells = extraColumns.map(({ values }) => values);
    this.buffer = new BlockBuffer(sink, [start, end, name, ...fieldColumns, ...extraColumns], rows);
  }

  /** @returns the row of the first name in an interval; those of the others follow */
  beginRows(startMs: EpochMs, endMs: EpochMs): number {
    const { nameCount: count } = this;
    const row = this.buffer.nextRows(count);
    this.startMs.fill(startMs, row, row + count);
    this.endMs.fill(endMs, row, row + count);
    return row;
  }
}
