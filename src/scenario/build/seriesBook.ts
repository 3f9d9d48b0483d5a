import { type EpochMs, isoUtc } from "../../base/time.ts";
import { type PreparedSeries, prepareSeries } from "../../series/model/prepareSeries.ts";
import { type Interpolation, Series } from "../../series/model/series.ts";
import type { StampLabel, TimeWindow } from "../../series/model/seriesRecipe.ts";
import { inputError, listed, shown } from "../parse/inputError.ts";
import type { Reading } from "../parse/reading.ts";
import { readSeriesFile, type SeriesFile } from "../parse/readSeriesFile.ts";
import { pathBeside } from "../parse/scenarioFiles.ts";
import type { SeriesKeys } from "../schema/scenarioSchema.ts";

/** How a key uses its series: what it means where nothing is declared, and the values it can bear. */
export interface SeriesUse {
  readonly interpolation: Interpolation;
  readonly minimum?: number;
  readonly maximum?: number;
}

interface Period {
  readonly startMs: EpochMs;
  readonly endMs: EpochMs;
}

/** A series that reaches back before the run, and where it knows nothing. */
export interface SeriesHistory {
  readonly series: Series;
  readonly gaps: readonly Period[];
}

/** One role of a named series with all that making it needs. */
interface NamedColumn {
  readonly name: string;
  readonly role: string;
  readonly spec: SeriesKeys;
  readonly column: string;
  readonly file: SeriesFile;
}

/** Stands where a series is wrong; the errors see to it that nobody ever reads it. */
const ABSENT = new Series("absent", Float64Array.of(0), Float64Array.of(0), "step", 0);

/**
 * The scenario's named series. Every file is read once, whoever refers to it; every series is made once for each
 * role and shared. Gaps matter within the run's period only.
 */
export class SeriesBook {
  readonly #reading: Reading;
  readonly #specs: ReadonlyMap<string, SeriesKeys>;
  /** `null` while the scenario's period is not known: then only the files themselves are checked. */
  readonly #period: Period | null;
  readonly #files: Map<string, SeriesFile>;
  readonly #made: Map<string, Series>;
  readonly #derived: Map<Series, Map<string, Series>>;

  /** @param known a book of the same series and period: what it has read and made is shared, not made again */
  constructor(
    reading: Reading,
    specs: Readonly<Record<string, SeriesKeys>>,
    period: Period | null,
    roles: readonly string[],
    known?: SeriesBook,
  ) {
    this.#reading = reading;
    this.#specs = new Map(Object.entries(specs));
    this.#period = period;
    if (known === undefined) {
      this.#files = new Map();
      this.#made = new Map();
      this.#derived = new Map();
      this.#readAll(roles);
    } else {
      this.#files = new Map(known.#files);
      this.#made = new Map(known.#made);
      this.#derived = new Map([...known.#derived].map(([series, made]) => [series, new Map(made)]));
    }
  }

  /** The series that `owner[key]` names as `series.role`. */
  resolve(owner: object, key: string, use: SeriesUse): Series {
    const text = (owner as Record<string, unknown>)[key];
    if (typeof text !== "string") return ABSENT;
    const dot = text.indexOf(".");
    return this.resolveRole(owner, key, { name: text.slice(0, dot), role: text.slice(dot + 1) }, use);
  }

  /** The same where the key gives the series and its meaning the role. */
  resolveRole(owner: object, key: string, { name, role }: { name: string; role: string }, use: SeriesUse): Series {
    const { checker } = this.#reading;
    const spec = this.#specs.get(name);
    if (spec === undefined) {
      checker.report(
        owner,
        key,
        `series ${shown(name)}`,
        `one of the series ${listed(this.#specs.keys()) || "(none is named)"}`,
      );
      return ABSENT;
    }
    const file = this.#fileOf(spec);
    if (file === undefined) return ABSENT;
    const column = columnOf(spec, role, file.header);
    if (column === null) {
      if (file.header.length > 0) {
        const roles = spec.columns === undefined ? file.header : Object.keys(spec.columns);
        checker.report(owner, key, `role ${shown(role)} of series ${name}`, `one of its roles ${listed(roles)}`);
      }
      return ABSENT;
    }
    const series = this.#make(name, spec, role, column, file, use.interpolation);
    this.#checkValues(owner, key, series, use);
    return series;
  }

  /**
   * The same from an earlier instant on and to a later one, with the periods of which nothing is known: before and after the
   * record, and gaps that are not filled. `null` where the series is wrong, which `resolve` reports.
   */
  history(owner: object, key: string, use: SeriesUse, wanted: TimeWindow): SeriesHistory | null {
    const text = (owner as Record<string, unknown>)[key];
    if (typeof text !== "string" || this.#period === null) return null;
    const dot = text.indexOf(".");
    const name = text.slice(0, dot);
    const role = text.slice(dot + 1);
    const spec = this.#specs.get(name);
    const file = spec === undefined ? undefined : this.#fileOf(spec);
    const column = spec === undefined || file === undefined ? null : columnOf(spec, role, file.header);
    if (spec === undefined || file === undefined || column === null) return null;
    // The run itself is checked first: a gap within it is an error, one before it a day less to choose from.
    if (this.resolve(owner, key, use) === ABSENT) return null;
    const { startMs, endMs } = this.#period;
    const window = { fromMs: Math.min(wanted.fromMs, startMs), toMs: Math.max(wanted.toMs, endMs) };
    const made = this.#prepare({ name, role, spec, column, file }, spec.interpolation ?? use.interpolation, window);
    if (made === null || made.series === null) return null;
    this.#checkValues(owner, key, made.series, use, made.series.startMs);
    const beforeRecord = made.filled.filter((gap) => gap.fromMs === window.fromMs);
    const gaps = [...made.gaps, ...beforeRecord].map((gap) => ({ startMs: gap.fromMs, endMs: gap.toMs }));
    return { series: made.series, gaps };
  }

  /** Whether a named series has a role that may be left out. */
  hasRole(name: string, role: string): boolean {
    const spec = this.#specs.get(name);
    const file = spec === undefined ? undefined : this.#fileOf(spec);
    return spec !== undefined && file !== undefined && columnOf(spec, role, file.header) !== null;
  }

  /** Which part of its interval a stamp of a named series marks. */
  labelOf(name: string): StampLabel {
    return this.#specs.get(name)?.label ?? "instant";
  }

  /** Made from a series once, for all that ask with the same words. */
  derived(series: Series, how: string, make: () => Series): Series {
    if (series === ABSENT) return ABSENT;
    let made = this.#derived.get(series);
    if (made === undefined) this.#derived.set(series, (made = new Map()));
    let answer = made.get(how);
    if (answer === undefined) made.set(how, (answer = make()));
    return answer;
  }

  #readAll(roles: readonly string[]): void {
    const byFile = new Map<string, SeriesKeys[]>();
    for (const spec of this.#specs.values()) {
      if (spec.file === undefined || spec.time === undefined) continue;
      const key = this.#fileKey(spec);
      byFile.set(key, [...(byFile.get(key) ?? []), spec]);
    }
    const names = new Map([...this.#specs].map(([name, spec]) => [spec, name]));
    for (const [key, specs] of byFile) {
      const wantedOf = (header: readonly string[]) => {
        const wanted = specs.flatMap((spec) => {
          if (spec.columns !== undefined) return Object.values(spec.columns);
          const prefix = `${names.get(spec)}.`;
          const asked = roles.filter((role) => role.startsWith(prefix)).map((role) => role.slice(prefix.length));
          return asked.filter((column) => column !== spec.time && header.includes(column));
        });
        return [...new Set(wanted)];
      };
      this.#files.set(key, readSeriesFile(this.#reading, specs[0], wantedOf));
    }
  }

  #fileKey(spec: SeriesKeys): string {
    return `${pathBeside(this.#reading.file, spec.file)}\n${spec.time}`;
  }

  #fileOf(spec: SeriesKeys): SeriesFile | undefined {
    return spec.file === undefined ? undefined : this.#files.get(this.#fileKey(spec));
  }

  #make(name: string, spec: SeriesKeys, role: string, column: string, file: SeriesFile, byUse: Interpolation): Series {
    if (this.#period === null) return ABSENT;
    const interpolation = spec.interpolation ?? byUse;
    const key = `${name}.${role} ${interpolation}`;
    const known = this.#made.get(key);
    if (known !== undefined) return known;
    const window = { fromMs: this.#period.startMs, toMs: this.#period.endMs };
    const prepared = this.#prepare({ name, role, spec, column, file }, interpolation, window);
    if (prepared === null) return ABSENT;
    const { series, gaps } = prepared;
    for (const { fromMs, toMs, line } of gaps) {
      const found = `no data from ${isoUtc(fromMs)} to ${isoUtc(toMs)}`;
      const allowed = "data for the whole run (or on_gap: hold or zero, a longer max_gap, or repeat)";
      this.#reading.checker.errors.push(
        inputError({ file: file.file, line, column: 1, keyPath: column, found, allowed }),
      );
    }
    const made = series === null || gaps.length > 0 ? ABSENT : series;
    this.#made.set(key, made);
    return made;
  }

  /** `null` where a word of its recipe or its file is wrong. */
  #prepare(
    { name, role, spec, column, file }: NamedColumn,
    interpolation: Interpolation,
    window: TimeWindow,
  ): PreparedSeries | null {
    const { table } = file;
    const broken = [spec.label, spec.shift, spec.repeat, spec.on_gap].includes(undefined as never);
    if (table === null || broken) return null;
    return prepareSeries(
      { timesMs: table.timesMs, values: table.columns[file.wanted.indexOf(column)], lines: table.lines },
      {
        name: `${name}.${role}`,
        interpolation,
        label: spec.label,
        shiftMs: spec.shift,
        repeat: spec.repeat,
        onGap: spec.on_gap,
        maxGapMs: spec.max_gap ?? null,
      },
      window,
    );
  }

  #checkValues(
    owner: object,
    key: string,
    series: Series,
    { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY }: SeriesUse,
    fromMs = Number.NEGATIVE_INFINITY,
  ): void {
    if (
      series === ABSENT ||
      this.#period === null ||
      (minimum === Number.NEGATIVE_INFINITY && maximum === Number.POSITIVE_INFINITY)
    )
      return;
    const { startMs, endMs } = this.#period;
    const { timesMs, values } = series;
    for (
      let k = series.indexAt(fromMs === Number.NEGATIVE_INFINITY ? startMs : fromMs);
      k < timesMs.length && timesMs[k] < endMs;
      k++
    ) {
      if (minimum <= values[k] && values[k] <= maximum) continue;
      const found = `${values[k]} at ${isoUtc(timesMs[k])} in ${series.name}`;
      const limits = maximum === Number.POSITIVE_INFINITY ? `at least ${minimum}` : `from ${minimum} to ${maximum}`;
      this.#reading.checker.report(owner, key, found, `values ${limits}`);
      return;
    }
  }
}

/** `null`: the series has no such role. */
function columnOf(spec: SeriesKeys, role: string, header: readonly string[]): string | null {
  if (spec.columns !== undefined) return Object.hasOwn(spec.columns, role) ? spec.columns[role] : null;
  return header.includes(role) ? role : null;
}
