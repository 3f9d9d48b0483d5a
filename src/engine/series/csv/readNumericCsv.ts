import { type CountedGroup, CountedGroups } from "../../../base/countedGroups.ts";
import { isUtf8 } from "../../../base/decodeUtf8.ts";
import { CsvFieldReader } from "./csvFieldReader.ts";
import { expectedInstantFormat, InstantColumn, parseInstantText } from "./parseInstant.ts";

/** One error of a file; `line` counts from 1 and is the header's for errors of the whole file. */
interface CsvProblem {
  readonly line: number;
  readonly column?: string;
  readonly found: string;
  readonly allowed: string;
}

/** Numbers by time; an empty cell is NaN. */
interface NumericTable {
  readonly timesMs: Float64Array;
  /** One per wanted column, same order. */
  readonly columns: readonly Float64Array[];
  /** Line of the file of each row. */
  readonly lines: Int32Array;
}

type NumericCsvResult =
  | { readonly ok: true; readonly table: NumericTable }
  | { readonly ok: false; readonly problems: readonly CountedGroup<CsvProblem>[] };

interface ColumnSelection {
  readonly time: string;
  readonly columns: readonly string[];
}

const QUOTE = 34;
const LF = 10;

const SKIPPED = -2;
const TIME = -1;

/**
 * Reads the wanted columns of a bulk numeric series: CSV with a header line.
 *
 * Other columns may hold anything. Times rise strictly and carry an offset; cells are finite decimal numbers or empty.
 */
export function readNumericCsv(content: Uint8Array, wanted: ColumnSelection): NumericCsvResult {
  const fields = new CsvFieldReader(content);
  const header = readHeader(fields);
  const problems = checkHeader(header, wanted);
  if (fields.quoteError !== null) problems.unshift(brokenQuoteAt(1, fields.quoteError));
  if (problems.length > 0) return { ok: false, problems: problems.map(singleProblem) };
  const rows = new RowReader(header, wanted, fields);
  rows.read();
  rows.refuseNone();
  if (rows.problems.count > 0) return { ok: false, problems: rows.problems.groups };
  return { ok: true, table: rows.toTable() };
}

/** A file with its header that is read piece by piece. */
export interface PiecedTable {
  readonly header: readonly string[];
  readonly columns: readonly string[];
  readonly table: NumericTable;
}

/**
 * Reads a plain file without holding its bytes.
 *
 * @param wantedOf selects the columns to read from the header
 * @returns `null` where the whole has to be read: because of a quote, or to say what is wrong
 */
export function readNumericPieces(
  { byteCount, pieces }: { readonly byteCount: number; readonly pieces: Iterable<Uint8Array> },
  time: string,
  wantedOf: (header: readonly string[]) => readonly string[],
): PiecedTable | null {
  let begun: { readonly header: readonly string[]; readonly columns: readonly string[]; rows: RowReader } | null = null;
  for (const bytes of wholeLines(pieces)) {
    if (bytes.includes(QUOTE) || bytes.includes(0) || !isUtf8(bytes)) return null;
    if (begun === null) {
      const fields = new CsvFieldReader(bytes);
      const header = readHeader(fields);
      const columns = wantedOf(header);
      if (checkHeader(header, { time, columns }).length > 0) return null;
      begun = { header, columns, rows: new RowReader(header, { time, columns }, fields, byteCount) };
    } else begun.rows.load(bytes);
    begun.rows.read();
    if (begun.rows.problems.count > 0) return null;
  }
  if (begun === null || !begun.rows.hasRows) return null;
  const { header, columns, rows } = begun;
  return { header, columns, table: rows.toTable() };
}

/** Pieces that end with a line; each is valid until the next one. */
function* wholeLines(pieces: Iterable<Uint8Array>): Generator<Uint8Array> {
  let buffer = new Uint8Array(0);
  let held = 0;
  for (const piece of pieces) {
    const filled = held + piece.length;
    if (buffer.length < filled) buffer = enlarged(buffer.subarray(0, held), new Uint8Array(2 * filled));
    buffer.set(piece, held);
    const end = buffer.subarray(0, filled).lastIndexOf(LF) + 1;
    if (end > 0) yield buffer.subarray(0, end);
    buffer.copyWithin(0, end, filled);
    held = filled - end;
  }
  if (held > 0) yield buffer.subarray(0, held);
}

/** The names in a file's header line, in order; empty for an empty file. */
export const readCsvHeader = (content: Uint8Array): string[] => readHeader(new CsvFieldReader(content));

function readHeader(fields: CsvFieldReader): string[] {
  fields.skipBlankLines();
  const header: string[] = [];
  if (fields.isAtEnd) return header;
  do header.push(fields.readText());
  while (fields.nextField());
  return header;
}

function checkHeader(header: readonly string[], wanted: ColumnSelection): CsvProblem[] {
  if (header.length === 0) return [{ line: 1, found: "an empty file", allowed: "a header line and rows" }];
  const problems: CsvProblem[] = [];
  for (const column of new Set([wanted.time, ...wanted.columns])) {
    const count = header.filter((name) => name === column).length;
    if (count === 1) continue;
    const found = count === 0 ? "no such column" : `${count} columns of this name`;
    problems.push({ line: 1, column, found, allowed: `one of the columns ${header.join(", ")}` });
  }
  return problems;
}

/** The rows below a sound header. */
class RowReader {
  /** By column; of whole rows, with an empty key. */
  readonly problems = new CountedGroups<CsvProblem>();
  private readonly header: readonly string[];
  private readonly fields: CsvFieldReader;
  private readonly times: InstantColumn;
  /** What each field of a row is: SKIPPED, TIME, or an index into the values. */
  private readonly fieldRoles: Int32Array;
  private readonly selectedIndexes: readonly number[];
  private count = 0;
  private timesMs: Float64Array;
  private lines: Int32Array;
  private values: Float64Array[];

  /** @param byteCount  of the file, of which the fields may have the first piece */
  constructor(
    header: readonly string[],
    wanted: ColumnSelection,
    fields: CsvFieldReader,
    byteCount = fields.bytes.length,
  ) {
    const names = [...new Set(wanted.columns)];
    this.header = header;
    this.fields = fields;
    this.times = new InstantColumn(fields.bytes);
    this.fieldRoles = Int32Array.from(header, (name) =>
      name === wanted.time ? TIME : names.includes(name) ? names.indexOf(name) : SKIPPED,
    );
    this.selectedIndexes = wanted.columns.map((name) => names.indexOf(name));
    const capacity = estimatedRows(fields, byteCount);
    this.timesMs = new Float64Array(capacity);
    this.lines = new Int32Array(capacity);
    this.values = names.map(() => new Float64Array(capacity));
  }

  read(): void {
    const fields = this.fields;
    for (fields.skipBlankLines(); !fields.isAtEnd; fields.skipBlankLines()) {
      if (this.count === this.timesMs.length) this.grow();
      this.readRow();
      if (fields.quoteError !== null) return;
    }
  }

  get hasRows(): boolean {
    return this.count > 0;
  }

  refuseNone(): void {
    if (!this.hasRows) this.report({ line: 1, found: "a header without rows", allowed: "at least one row" });
  }

  /** Continues with the bytes that follow in the file. */
  load(bytes: Uint8Array): void {
    this.fields.load(bytes);
    this.times.load(bytes);
  }

  /** The arrays are views of larger ones: copies would double the memory of a long file until the next garbage collection. */
  toTable(): NumericTable {
    const count = this.count;
    return {
      timesMs: this.timesMs.subarray(0, count),
      columns: this.selectedIndexes.map((k) => this.values[k].subarray(0, count)),
      lines: this.lines.subarray(0, count),
    };
  }

  private readRow(): void {
    const fields = this.fields;
    const meaning = this.fieldRoles;
    const line = fields.line;
    const row = this.count++;
    this.lines[row] = line;
    let field = 0;
    do {
      const what = field < meaning.length ? meaning[field] : SKIPPED;
      if (what >= 0) this.values[what][row] = this.readNumber(field);
      else if (what === TIME) this.timesMs[row] = this.readTime(field);
      else fields.skipField();
      field++;
    } while (fields.nextField());
    if (fields.quoteError !== null) this.report(brokenQuoteAt(line, fields.quoteError));
    else if (field !== meaning.length) {
      this.report({ line, found: countOf(field), allowed: `${countOf(meaning.length)}, as in the header` });
    } else if (row > 0 && !(this.timesMs[row - 1] < this.timesMs[row])) this.reportOrder(row);
  }

  private readNumber(field: number): number {
    const fields = this.fields;
    const value = fields.readNumber();
    if (value !== Number.POSITIVE_INFINITY) return value;
    this.reportCell(fields.line, field, fields.readText(), "a finite number, such as -12.5, or an empty cell");
    return Number.NaN;
  }

  private readTime(field: number): number {
    const fields = this.fields;
    const start = fields.position;
    const times = this.times;
    const likeLastMs = times.readLikeLast(start);
    if (!Number.isNaN(likeLastMs) && fields.endsAt(start + times.length)) {
      fields.position = start + times.length;
      return likeLastMs;
    }
    const end = fields.findUnquotedEnd();
    const atMs = times.read(start, end);
    if (!Number.isNaN(atMs)) {
      fields.position = end;
      return atMs;
    }
    const line = fields.line;
    const text = fields.readText();
    const slowMs = parseInstantText(text);
    if (Number.isNaN(slowMs)) this.reportCell(line, field, text, expectedInstantFormat(text));
    return slowMs;
  }

  /** A time that could not be read has been reported already and is compared with nothing. */
  private reportOrder(row: number): void {
    const atMs = this.timesMs[row];
    const previousMs = this.timesMs[row - 1];
    if (Number.isNaN(atMs) || Number.isNaN(previousMs)) return;
    const same = atMs === previousMs;
    this.report({
      line: this.lines[row],
      column: this.header[this.fieldRoles.indexOf(TIME)],
      found: `${new Date(atMs).toISOString()}, ${same ? "the same as" : "before"} the row on line ${this.lines[row - 1]}`,
      allowed: `a time after ${new Date(previousMs).toISOString()}`,
    });
  }

  private reportCell(line: number, field: number, text: string, allowed: string): void {
    const found = text === "" ? "an empty cell" : JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
    this.report({ line, column: this.header[field], found, allowed });
  }

  private report(problem: CsvProblem): void {
    this.problems.add(problem.column ?? "", () => problem);
  }

  private grow(): void {
    const capacity = Math.ceil(1.5 * this.timesMs.length);
    this.timesMs = enlarged(this.timesMs, new Float64Array(capacity));
    this.lines = enlarged(this.lines, new Int32Array(capacity));
    this.values = this.values.map((values) => enlarged(values, new Float64Array(capacity)));
  }
}

const singleProblem = (problem: CsvProblem): CountedGroup<CsvProblem> => ({
  key: problem.column ?? "",
  count: 1,
  first: [problem],
});

const countOf = (fields: number): string => (fields === 1 ? "1 field" : `${fields} fields`);

const brokenQuoteAt = (line: number, found: string): CsvProblem => ({
  line,
  found,
  allowed: "a quote doubled inside a quoted field, and a comma or a line end after it",
});

/** Places of a file at which lines are counted, and the bytes of each. */
const SAMPLED_PLACES = 16;
const SAMPLED_BYTES = 1_024;

/** As many rows as the file has if its lines are as long as at the sampled places, and a little more. */
function estimatedRows({ bytes, position }: CsvFieldReader, byteCount: number): number {
  const restBytes = bytes.length - position;
  let sampledBytes = 0;
  let lineEnds = 0;
  for (let place = 0; place < SAMPLED_PLACES; place++) {
    const start = position + Math.floor((place * restBytes) / SAMPLED_PLACES);
    const sample = bytes.subarray(start, start + SAMPLED_BYTES);
    sampledBytes += sample.length;
    for (const byte of sample) if (byte === 10) lineEnds++;
  }
  return 16 + Math.ceil((1.05 * byteCount * lineEnds) / Math.max(1, sampledBytes));
}

function enlarged<T extends Float64Array | Int32Array | Uint8Array>(values: T, larger: T): T {
  larger.set(values);
  return larger;
}
