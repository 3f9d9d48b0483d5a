import { canonicalJson } from "../../../base/canonicalJson.ts";
import { pow } from "../../../base/elementary.ts";
import { formatNameList, formatValue } from "../../../base/inputError.ts";
import { groupBy } from "../../../base/lists.ts";
import { ownValue } from "../../../base/ownValue.ts";
import { FIGURE_MAX } from "../../../base/schemaBuilders.ts";
import { type EpochMs, isoUtc } from "../../../base/time.ts";
import { type BridgedRows, buildSeries, type SeriesBuild } from "../../../engine/series/model/buildSeries.ts";
import { type Interpolation, Series } from "../../../engine/series/model/series.ts";
import type {
  SeriesGap,
  SeriesRequirement,
  SeriesUnit,
  StampLabel,
  TimeWindow,
} from "../../../engine/series/model/seriesOptions.ts";
import { conversionOf, isUnclearUnit, printedUnitOf } from "../../formats/generic/units.ts";
import type { RemarkCollector } from "../checks/remark.ts";
import { type LoadContext, resolveBeside } from "../parse/loadContext.ts";
import {
  formatOptionsOf,
  hasUnknownFormat,
  mapsColumns,
  optionsWithoutFormat,
  readFormatSeries,
  readSeriesFile,
  SeriesContent,
  type SeriesFile,
} from "../parse/readSeriesFile.ts";
import type { SeriesDigest } from "../scenarioHash.ts";
import type { SeriesConfig } from "../schema/scenarioSchema.ts";

interface UnitFactor {
  /** Unit of the column; empty: unknown. */
  readonly unit: string;
  /** `null`: the unit has no factor, because it is an energy, or a multiple in words, in the place of a power. */
  readonly factor: number | null;
}

/**
 * The factor between the unit of a column and the one that its use needs: 0.001 for a price per MWh in the place of one per kWh.
 *
 * @param stated by the reader of its file; `null`: by the name of the column
 */
function unitFactor(column: string, stated: string | null, needed: SeriesUnit | undefined): UnitFactor {
  const unit = stated ?? printedUnitOf(column) ?? "";
  if (needed === "per kWh") return { unit, factor: /\/MWh$/i.test(unit) ? 1e-3 : 1 };
  if (needed === "kW") {
    const conversion = conversionOf(unit);
    if (conversion === null ? isUnclearUnit(unit) : conversion.isEnergy) return { unit, factor: null };
    if (conversion?.unit === "kW") return { unit, factor: pow(10, conversion.scale.exponent) };
  }
  return { unit, factor: 1 };
}

interface Period {
  readonly startMs: EpochMs;
  readonly endMs: EpochMs;
}

/** A series that extends before the run, and the periods without data. */
interface SeriesHistory {
  readonly series: Series;
  readonly gaps: readonly Period[];
}

/** The series of a scenario as declared. */
interface SeriesDeclarations {
  readonly specs: Readonly<Record<string, SeriesConfig>>;
  /** Time zone of local times in published files. */
  readonly timezone: string;
}

/** One role of a named series with the inputs of its construction. */
interface SeriesColumn {
  readonly name: string;
  readonly role: string;
  readonly spec: SeriesConfig;
  readonly column: string;
  readonly file: SeriesFile;
  /** Of the values of the file. */
  readonly factor: number;
}

interface BridgedColumn extends BridgedRows {
  readonly file: string;
  readonly column: string;
  readonly first: SeriesGap;
}

/** Replaces a faulty series. The build fails with its errors before the placeholder is read. */
const PLACEHOLDER_SERIES = new Series("absent", Float64Array.of(0), Float64Array.of(0), "step", 0);

/**
 * The scenario's named series. Every file is read once. Every series is built once per role and shared. Gaps are errors
 * within the run's period only.
 */
export class SeriesRegistry {
  private readonly context: LoadContext;
  private readonly specs: ReadonlyMap<string, SeriesConfig>;
  private readonly timezone: string;
  /** `null` for an invalid period: then only the files are checked. */
  private readonly period: Period | null;
  private readonly files: Map<string, SeriesFile>;
  private readonly seriesByRole: Map<string, Series>;
  private readonly derivedSeries: Map<Series, Map<string, Series>>;
  /** By series and role: rows that are missing although `on_gap` is `error`. */
  private readonly bridgedRows: Map<string, BridgedColumn>;

  /** @param known registry of the same series and period, whose data is shared */
  constructor(
    loadContext: LoadContext,
    { specs, timezone }: SeriesDeclarations,
    period: Period | null,
    roles: readonly string[],
    known?: SeriesRegistry,
  ) {
    this.context = loadContext;
    this.specs = new Map(Object.entries(specs));
    this.timezone = timezone;
    this.period = period;
    if (known === undefined) {
      this.files = new Map();
      this.seriesByRole = new Map();
      this.derivedSeries = new Map();
      this.bridgedRows = new Map();
      this.readAll(roles);
    } else {
      this.files = new Map(known.files);
      this.seriesByRole = new Map(known.seriesByRole);
      this.derivedSeries = new Map([...known.derivedSeries].map(([series, made]) => [series, new Map(made)]));
      this.bridgedRows = new Map(known.bridgedRows);
    }
  }

  /** The series that `owner[key]` names as `series.role`. */
  resolve(owner: object, key: string, use: SeriesRequirement): Series {
    const text = (owner as Record<string, unknown>)[key];
    if (typeof text !== "string") return PLACEHOLDER_SERIES;
    const dot = text.indexOf(".");
    return this.resolveRole(owner, key, { name: text.slice(0, dot), role: text.slice(dot + 1) }, use);
  }

  /** Resolves a role that is implied by the key. */
  resolveRole(
    owner: object,
    key: string,
    { name, role }: { name: string; role: string },
    use: SeriesRequirement,
  ): Series {
    const { checker } = this.context;
    const spec = this.specs.get(name);
    if (spec === undefined) {
      checker.reportError(
        owner,
        key,
        `series ${formatValue(name)}`,
        `one of the series ${formatNameList(this.specs.keys()) || "(none is named)"}`,
      );
      return PLACEHOLDER_SERIES;
    }
    const file = this.fileOf(spec);
    if (file === undefined) return PLACEHOLDER_SERIES;
    const column = columnOf(spec, role, file.header);
    if (column === null) {
      if (file.header.length > 0) {
        const roles = spec.columns === undefined ? file.header : Object.keys(spec.columns);
        checker.reportError(
          owner,
          key,
          `role ${formatValue(role)} of series ${name}`,
          `one of its roles ${formatNameList(roles)}`,
        );
      }
      return PLACEHOLDER_SERIES;
    }
    const factor = this.factorOf(owner, key, { name, role, spec, column, file }, use);
    if (factor === null) return PLACEHOLDER_SERIES;
    const series = this.createSeries({ name, role, spec, column, file, factor }, use.interpolation);
    this.checkValues(owner, key, series, use);
    return series;
  }

  /**
   * A series over a longer window, with the periods without data: before and after the record, and unfilled gaps.
   * `null` where the series is faulty, which `resolve` reports.
   */
  resolveHistory(owner: object, key: string, use: SeriesRequirement, wanted: TimeWindow): SeriesHistory | null {
    const text = (owner as Record<string, unknown>)[key];
    if (typeof text !== "string" || this.period === null) return null;
    const dot = text.indexOf(".");
    const name = text.slice(0, dot);
    const role = text.slice(dot + 1);
    const spec = this.specs.get(name);
    const file = spec === undefined ? undefined : this.fileOf(spec);
    const column = spec === undefined || file === undefined ? null : columnOf(spec, role, file.header);
    if (spec === undefined || file === undefined || column === null) return null;
    // The run is checked first. A gap within it is an error; a gap before it only removes a day from the selection.
    if (this.resolve(owner, key, use) === PLACEHOLDER_SERIES) return null;
    const { startMs, endMs } = this.period;
    const window = { fromMs: Math.min(wanted.fromMs, startMs), toMs: Math.max(wanted.toMs, endMs) };
    const factor = this.factorOf(owner, key, { name, role, spec, column, file }, use) ?? 1;
    const made = this.prepareSeries(
      { name, role, spec, column, file, factor },
      spec.interpolation ?? use.interpolation,
      window,
    );
    if (made === null || made.series === null) return null;
    this.checkValues(owner, key, made.series, use, made.series.startMs);
    const beforeRecord = made.filledGaps.filter((gap) => gap.fromMs === window.fromMs);
    const gaps = [...made.gaps, ...beforeRecord].map((gap) => ({ startMs: gap.fromMs, endMs: gap.toMs }));
    return { series: made.series, gaps };
  }

  /** @see docs/model/series.md#bridged-rows */
  remarkBridgedRows(remarks: RemarkCollector): void {
    for (const [name, { file, column, rowCount, first }] of this.bridgedRows)
      remarks.add("bridged-rows", () => {
        const rows = rowCount === 1 ? "1 row is" : `${rowCount} rows are`;
        const place = `the first from ${isoUtc(first.fromMs)} to ${isoUtc(first.toMs)}`;
        const advice = "write a shorter max_gap to refuse such gaps, or on_gap: hold to accept them";
        const message = `series ${name}: ${rows} missing and bridged by their neighbours although on_gap is error, ${place}; ${advice}`;
        return { file, line: first.line, column: 1, keyPath: column, message };
      });
  }

  /** Digests of the series in use, as `name.role` with its interpolation. */
  digests(digestOf: SeriesDigest): readonly (readonly [string, string])[] {
    return [...this.seriesByRole]
      .filter(([, series]) => series !== PLACEHOLDER_SERIES)
      .map(([key, series]) => [key, digestOf(series)]);
  }

  /** Whether a named series has an optional role. */
  hasRole(name: string, role: string): boolean {
    const spec = this.specs.get(name);
    const file = spec === undefined ? undefined : this.fileOf(spec);
    return spec !== undefined && file !== undefined && columnOf(spec, role, file.header) !== null;
  }

  /** Position of the stamps of a role of a named series within their intervals. */
  stampLabelOf(name: string, role: string): StampLabel {
    const spec = this.specs.get(name);
    const file = spec === undefined ? undefined : this.fileOf(spec);
    const column = spec === undefined || file === undefined ? null : columnOf(spec, role, file.header);
    const ofFormat = column === null ? null : (file?.samples.get(column)?.label ?? null);
    return ofFormat ?? ownValue(spec?.labels, role) ?? spec?.label ?? "instant";
  }

  /** Derives a series from another one, once per `how`. */
  deriveOnce(series: Series, how: string, make: () => Series): Series {
    if (series === PLACEHOLDER_SERIES) return PLACEHOLDER_SERIES;
    let made = this.derivedSeries.get(series);
    if (made === undefined) this.derivedSeries.set(series, (made = new Map()));
    let answer = made.get(how);
    if (answer === undefined) made.set(how, (answer = make()));
    return answer;
  }

  private readAll(roles: readonly string[]): void {
    const withFile: SeriesConfig[] = [];
    for (const spec of this.specs.values()) {
      if (hasUnknownFormat(this.context, spec)) continue;
      for (const key of optionsWithoutFormat(spec))
        this.context.checker.reportError(spec, key, "an option without a format", "the key format beside it");
      if (spec.file !== undefined && spec.time !== undefined) withFile.push(spec);
    }
    const names = new Map([...this.specs].map(([name, spec]) => [spec, name]));
    const rolesByName = groupBy(roles, (role) => role.slice(0, role.indexOf(".")));
    for (const spec of this.specs.values()) this.checkLabels(spec);
    const columnsOf = (specs: readonly SeriesConfig[], header: readonly string[]): readonly string[] => {
      const wanted = specs.flatMap((spec) => {
        if (spec.columns !== undefined) return Object.values(spec.columns);
        const referenced = (rolesByName.get(names.get(spec) ?? "") ?? []).map((role) =>
          role.slice(role.indexOf(".") + 1),
        );
        return referenced.filter((column) => column !== spec.time && header.includes(column));
      });
      return [...new Set(wanted)];
    };
    for (const ofFile of groupBy(withFile, (spec) => this.pathOf(spec)).values()) {
      const content = new SeriesContent(this.context, ofFile[0]);
      for (const [key, specs] of groupBy(ofFile, (spec) => this.fileKey(spec))) {
        const [spec] = specs;
        const file =
          spec.format === undefined
            ? readSeriesFile(this.context, spec, content, (header) => columnsOf(specs, header))
            : readFormatSeries(this.context, spec, content, formatOptionsOf(spec, this.timezone));
        this.files.set(key, file);
      }
    }
  }

  /** Labels name roles of `columns`, where that is given, and not those of a format, which has its own labels. */
  private checkLabels(spec: SeriesConfig): void {
    const { checker } = this.context;
    for (const role of Object.keys(spec.labels ?? {})) {
      if (spec.format !== undefined)
        checker.reportError(spec, "labels", "labels beside format", "no labels: the format has those of its columns");
      else if (spec.columns !== undefined && !Object.hasOwn(spec.columns, role))
        checker.reportError(
          spec,
          "labels",
          `role ${formatValue(role)}`,
          `one of the roles ${formatNameList(Object.keys(spec.columns))}`,
        );
    }
  }

  private pathOf(spec: SeriesConfig): string {
    return resolveBeside(this.context.file, spec.file);
  }

  private fileKey(spec: SeriesConfig): string {
    const path = this.pathOf(spec);
    if (spec.format === undefined) return `${path}\n${spec.time}`;
    return `${path}\n${spec.format}\n${canonicalJson(formatOptionsOf(spec, this.timezone))}`;
  }

  private fileOf(spec: SeriesConfig): SeriesFile | undefined {
    return spec.file === undefined ? undefined : this.files.get(this.fileKey(spec));
  }

  /** That of `scale`, else from the known unit of the column into the one needed; `null` after refusing an energy. */
  private factorOf(
    owner: object,
    key: string,
    { name, role, spec, column, file }: Omit<SeriesColumn, "factor">,
    use: SeriesRequirement,
  ): number | null {
    const stated = ownValue(spec.scale, role);
    if (stated !== undefined) return stated;
    const { unit, factor } = unitFactor(column, file.samples.get(column)?.unit ?? null, use.unit);
    const { checker, remarks } = this.context;
    if (factor === null)
      checker.reportError(
        owner,
        key,
        `${name}.${role} in ${unit}`,
        `a power in kW: a series with format: table, which makes powers of energies, or scale: {${role}: 2} for half hours`,
      );
    else if (factor !== 1)
      remarks.add("converted-unit", () => {
        const needed = use.unit === "kW" ? "kW" : "money per kWh";
        return { file: file.file, keyPath: column, message: `series ${name}.${role}: ${unit} × ${factor} = ${needed}` };
      });
    return factor;
  }

  private createSeries(source: SeriesColumn, byUse: Interpolation): Series {
    const { name, role, spec, column, file, factor } = source;
    if (this.period === null) return PLACEHOLDER_SERIES;
    const interpolation = spec.interpolation ?? byUse;
    const key = `${name}.${role} ${interpolation}${factor === 1 ? "" : ` × ${factor}`}`;
    const known = this.seriesByRole.get(key);
    if (known !== undefined) return known;
    const window = { fromMs: this.period.startMs, toMs: this.period.endMs };
    const prepared = this.prepareSeries(source, interpolation, window);
    if (prepared === null) return PLACEHOLDER_SERIES;
    const { series, gaps, bridged } = prepared;
    if (spec.on_gap === "error" && bridged.first !== null)
      this.bridgedRows.set(`${name}.${role}`, { file: file.file, column, ...bridged, first: bridged.first });
    for (const { fromMs, toMs, line } of gaps) {
      const found = `no data from ${isoUtc(fromMs)} to ${isoUtc(toMs)}`;
      const allowed = "data for the whole run (or on_gap: hold or zero, a longer max_gap, or repeat)";
      this.context.checker.errors.report({ file: file.file, line, column: 1, keyPath: column, found, allowed });
    }
    const made = series === null || gaps.length > 0 ? PLACEHOLDER_SERIES : series;
    this.seriesByRole.set(key, made);
    return made;
  }

  /** `null` where its keys or its file have errors. */
  private prepareSeries(
    { name, role, spec, column, file, factor }: SeriesColumn,
    interpolation: Interpolation,
    window: TimeWindow,
  ): SeriesBuild | null {
    const samples = file.samples.get(column);
    const broken = [spec.label, spec.shift, spec.repeat, spec.on_gap].includes(undefined as never);
    if (samples === undefined || broken) return null;
    return buildSeries(
      factor === 1 ? samples : { ...samples, values: samples.values.map((value) => value * factor + 0) },
      {
        name: `${name}.${role}`,
        interpolation,
        label: samples.label ?? ownValue(spec.labels, role) ?? spec.label,
        shiftMs: spec.shift,
        repeat: spec.repeat,
        onGap: spec.on_gap,
        maxGapMs: spec.max_gap ?? null,
      },
      window,
    );
  }

  private checkValues(
    owner: object,
    key: string,
    series: Series,
    { minimum = -FIGURE_MAX, maximum = FIGURE_MAX }: SeriesRequirement,
    fromMs = Number.NEGATIVE_INFINITY,
  ): void {
    if (series === PLACEHOLDER_SERIES || this.period === null) return;
    const { startMs, endMs } = this.period;
    const { timesMs, values } = series;
    for (
      let k = series.indexAt(fromMs === Number.NEGATIVE_INFINITY ? startMs : fromMs);
      k < timesMs.length && timesMs[k] < endMs;
      k++
    ) {
      if (minimum <= values[k] && values[k] <= maximum) continue;
      const found = `${values[k]} at ${isoUtc(timesMs[k])} in ${series.name}`;
      const limits =
        maximum === FIGURE_MAX && values[k] < minimum ? `at least ${minimum}` : `from ${minimum} to ${maximum}`;
      this.context.checker.reportError(owner, key, found, `values ${limits}`);
      return;
    }
  }
}

/** `null`: the series has no such role. */
function columnOf(spec: SeriesConfig, role: string, header: readonly string[]): string | null {
  if (spec.columns !== undefined && !mapsColumns(spec))
    return Object.hasOwn(spec.columns, role) ? spec.columns[role] : null;
  return header.includes(role) ? role : null;
}
