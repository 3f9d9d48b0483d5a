import { isGzip, unpackGzip } from "../../base/gzip.ts";
import { sha256Hex } from "../../base/ids.ts";
import { ErrorCollector, formatNameList, NO_SUCH_FILE } from "../../base/inputError.ts";
import { groupBy, largestOf, smallestOf } from "../../base/lists.ts";
import { basename } from "../../base/paths.ts";
import { type EpochMs, isoUtc } from "../../base/time.ts";
import type { InputFiles } from "../../platform/files.ts";
import {
  MEASURED_COLUMNS,
  type MeasuredColumn,
  type MeasuredSite,
  type MeasuredTable,
  measuredSite,
  spacingOf,
} from "./measuredSeries.ts";
import { KNOWN_COLUMNS, type RawTable, reportCell, reportFile, SITE_COLUMN, TIME_COLUMN } from "./rawTable.ts";
import { readMeasuredCsv } from "./readMeasuredCsv.ts";
import { isParquet, readMeasuredParquet } from "./readMeasuredParquet.ts";

export interface MeasuredOptions {
  readonly files: InputFiles;
  /** Names of the sites of the scenario. */
  readonly siteNames: readonly string[];
  /** What a site can take in or give, by its name. */
  readonly ratingsKw?: ReadonlyMap<string, number>;
  /** Powers are means of the interval that begins or ends at the stamp; default: values at the stamp. */
  readonly label?: "start" | "end";
}

/** A file as read. */
export interface MeasuredFile {
  readonly file: string;
  readonly sha256: string;
  readonly fromMs: EpochMs;
  readonly toMs: EpochMs;
  readonly rows: number;
}

export interface Measured {
  readonly sites: ReadonlyMap<string, MeasuredSite>;
  readonly files: readonly MeasuredFile[];
  readonly warnings: readonly string[];
}

/** Rows of one site in one file. */
interface SiteRows {
  readonly file: string;
  readonly header: readonly string[];
  readonly timesMs: Float64Array;
  readonly columns: ReadonlyMap<MeasuredColumn, Float64Array>;
  readonly lines: readonly number[];
}

/**
 * Reads measured files (CSV, gzip, Parquet) into tables by site, in the order of the scenario's sites
 * (docs/model/twin.md#measured-files).
 *
 * @throws InputErrors with all errors of all files
 */
export async function readMeasured(paths: readonly string[], options: MeasuredOptions): Promise<Measured> {
  const errors = new ErrorCollector();
  const warnings: string[] = [];
  const files: MeasuredFile[] = [];
  const rowsOfSite = new Map<string, SiteRows[]>(options.siteNames.map((name) => [name, []]));
  for (const file of paths) {
    const content = options.files.read(file);
    if (content === null) {
      reportFile(errors, file, NO_SUCH_FILE, "a readable CSV, gzip or Parquet file");
      continue;
    }
    const raw = await readRaw(file, content, errors);
    if (raw === null || !checkHeader(raw, errors)) continue;
    const unknown = raw.header.filter((name) => !KNOWN_COLUMNS.includes(name));
    if (unknown.length > 0) warnings.push(`${file}: not read: ${formatNameList(unknown)}`);
    for (const [site, rows] of splitBySite(raw, options.siteNames, errors)) rowsOfSite.get(site)?.push(rows);
    const { timesMs } = raw;
    const span = { fromMs: smallestOf(timesMs), toMs: largestOf(timesMs), rows: timesMs.length };
    files.push({ file, sha256: sha256Hex(content), ...span });
  }
  const sites = new Map<string, MeasuredSite>();
  for (const [site, parts] of rowsOfSite) {
    for (const part of parts) {
      checkRows(part, errors);
      checkPower(part, options.ratingsKw?.get(site) ?? 0, errors);
    }
    if (errors.count === 0 && parts.length > 0) sites.set(site, measuredSite(site, tablesOf(parts, options, errors)));
  }
  if (errors.count > 0) throw errors.toInputErrors();
  return { sites, files, warnings };
}

async function readRaw(file: string, packed: Uint8Array, errors: ErrorCollector): Promise<RawTable | null> {
  const unpacked = isGzip(packed) ? unpackGzip(packed) : { bytes: packed };
  if ("wrong" in unpacked) {
    reportFile(errors, file, unpacked.wrong, "a whole gzip file");
    return null;
  }
  const { bytes } = unpacked;
  return isParquet(bytes) ? readMeasuredParquet(file, bytes, errors) : readMeasuredCsv(file, bytes, errors);
}

function checkHeader({ file, header, columns, timesMs }: RawTable, errors: ErrorCollector): boolean {
  const refuse = (found: string, allowed: string): false => {
    reportFile(errors, file, found, allowed, 1);
    return false;
  };
  if (header.length === 0) return refuse("an empty file", "a header line with column names, and rows");
  const allowed = `${TIME_COLUMN}, ${SITE_COLUMN} and any of ${MEASURED_COLUMNS.join(", ")}`;
  if (columns.size === 0) return refuse(`no known column among ${formatNameList(header)}`, allowed);
  if (!header.includes(TIME_COLUMN)) return refuse(`no column ${TIME_COLUMN}`, allowed);
  const repeated = KNOWN_COLUMNS.find((name) => header.indexOf(name) !== header.lastIndexOf(name));
  if (repeated !== undefined) return refuse(`two columns ${repeated}`, "each column once");
  return timesMs.length > 0 || refuse("a header without rows", "at least one row");
}

/** The rows of each site, in the order of the file. */
function splitBySite(raw: RawTable, siteNames: readonly string[], errors: ErrorCollector): Map<string, SiteRows> {
  const { file, header, lines, sites } = raw;
  if (sites.length === 0) {
    const site = siteNames.length === 1 ? siteNames[0] : siteOfFile(file, siteNames);
    if (site !== undefined) return new Map([[site, pickRows(raw, [...lines.keys()])]]);
    const found = `no column ${SITE_COLUMN}, for a scenario of ${siteNames.length} sites`;
    reportFile(errors, file, found, "a column with the site of each row", 1);
    return new Map();
  }
  const rowsOf = groupBy(sites.keys(), (row) => sites[row]);
  const allowed = `the name of a site (${formatNameList(siteNames, 12)})`;
  for (const [name, [row]] of rowsOf)
    if (!siteNames.includes(name))
      reportCell(errors, { file, header, line: lines[row], name: SITE_COLUMN }, JSON.stringify(name), allowed);
  return new Map([...rowsOf].map(([name, rows]) => [name, pickRows(raw, rows)]));
}

/** The site whose name a file has, as `store-1.csv.gz` or `store-1.fine.csv.gz`. */
const siteOfFile = (file: string, siteNames: readonly string[]): string | undefined =>
  siteNames.find((name) => [name, encodeURIComponent(name)].some((stem) => basename(file).startsWith(`${stem}.`)));

const pickRows = ({ file, header, timesMs, columns, lines }: RawTable, rows: readonly number[]): SiteRows => ({
  file,
  header,
  timesMs: Float64Array.from(rows, (row) => timesMs[row]),
  columns: new Map([...columns].map(([name, values]) => [name, Float64Array.from(rows, (row) => values[row])])),
  lines: rows.map((row) => lines[row]),
});

/** Order and duplicates of times, and a state of charge that is a fraction. */
function checkRows({ file, header, timesMs, columns, lines }: SiteRows, errors: ErrorCollector): void {
  for (let row = 1; row < timesMs.length; row++) {
    if (!(timesMs[row] <= timesMs[row - 1])) continue;
    const place = { file, header, line: lines[row], name: TIME_COLUMN };
    const relation = timesMs[row] === timesMs[row - 1] ? "the same as" : "before";
    const found = `${isoUtc(timesMs[row])}, ${relation} the row of the site on line ${lines[row - 1]}`;
    reportCell(errors, place, found, "later times row by row, each once for each site");
  }
  const soc = columns.get("soc")?.filter((value) => !Number.isNaN(value)) ?? [];
  if (soc.length < SOC_VALUES_MIN || !soc.every((value) => 0 <= value && value <= 1)) return;
  const found = `values from ${smallestOf(soc)} to ${largestOf(soc)}, a fraction; the column is in %`;
  reportCell(errors, { file, header, line: lines[0], name: "soc" }, found, "0 to 100");
}

/** A single value below 1 % may be one. */
const SOC_VALUES_MIN = 2;

const POWER_COLUMNS = ["current_kw", "baseline_kw", "dispatched_delta_kw", "setpoint_kw"] as const;
/** Powers beyond so many times the rating are in another unit. */
const RATING_FACTOR_MAX = 100;

/** Powers in W. @param ratedKw  0: not known */
function checkPower({ file, header, columns, lines }: SiteRows, ratedKw: number, errors: ErrorCollector): void {
  for (const name of POWER_COLUMNS) {
    const powerKw = columns.get(name) ?? new Float64Array(0);
    const row = powerKw.findIndex((kw) => Math.abs(kw) > RATING_FACTOR_MAX * ratedKw);
    if (ratedKw === 0 || row < 0) continue;
    const found = `${powerKw[row]}, of a site that is rated at ${ratedKw} kW: W; the column is in kW`;
    reportCell(errors, { file, header, line: lines[row], name }, found, "the values divided by 1000");
  }
}

/** Spacings that differ by less than this factor are one table. */
const SAME_SPACING = 1.5;

/** Tables of one site: rows of files with the same spacing are one. */
function tablesOf(parts: readonly SiteRows[], { label }: MeasuredOptions, errors: ErrorCollector): MeasuredTable[] {
  const groups: { readonly parts: SiteRows[]; readonly spacingMs: number }[] = [];
  const spaced = parts.map((part) => ({ part, spacingMs: spacingOf(part.timesMs) }));
  for (const { part, spacingMs } of spaced.sort((a, b) => a.spacingMs - b.spacingMs)) {
    const last = groups.at(-1);
    if (last !== undefined && spacingMs < SAME_SPACING * last.spacingMs) last.parts.push(part);
    else groups.push({ parts: [part], spacingMs });
  }
  return groups.map(({ parts: own, spacingMs }) => {
    const { timesMs, columns } = own.length === 1 ? own[0] : mergedRows(own, errors);
    return {
      label: label === undefined ? "instant" : "mean",
      spacingMs,
      timesMs: label === "end" ? timesMs.map((atMs) => atMs - spacingMs) : timesMs,
      columns: withSetpoint(columns),
    };
  });
}

/** Rows in order of time; cells of one time in several files make one row where they do not contradict each other. */
function mergedRows(parts: readonly SiteRows[], errors: ErrorCollector): Pick<SiteRows, "timesMs" | "columns"> {
  const timesMs = Float64Array.from(new Set(parts.flatMap((part) => [...part.timesMs]))).sort();
  const rowOf = new Map([...timesMs].map((atMs, row) => [atMs, row]));
  const columns = new Map<MeasuredColumn, Float64Array>();
  for (const { file, header, timesMs: partMs, columns: values, lines } of parts)
    for (const [name, cells] of values) {
      const merged = columns.get(name) ?? new Float64Array(timesMs.length).fill(Number.NaN);
      columns.set(name, merged);
      for (const [k, atMs] of partMs.entries()) {
        const row = rowOf.get(atMs) ?? 0;
        if (Number.isNaN(cells[k])) continue;
        if (!Number.isNaN(merged[row]) && merged[row] !== cells[k]) {
          const found = `${cells[k]} at ${isoUtc(atMs)}, for which another file has ${merged[row]}`;
          reportCell(errors, { file, header, line: lines[k], name }, found, "one value for each site, column and time");
        }
        merged[row] = cells[k];
      }
    }
  return { timesMs, columns };
}

/** Without empty columns; the set-point is baseline plus delta where it is not given. */
function withSetpoint(columns: SiteRows["columns"]): MeasuredTable["columns"] {
  const filled = new Map([...columns].filter(([, values]) => values.some((value) => !Number.isNaN(value))));
  const baselineKw = filled.get("baseline_kw");
  const deltaKw = filled.get("dispatched_delta_kw");
  if (baselineKw !== undefined && deltaKw !== undefined && !filled.has("setpoint_kw")) {
    const setpointKw = baselineKw.map((kw, row) => kw + deltaKw[row]);
    filled.set("setpoint_kw", setpointKw);
  }
  return filled;
}
