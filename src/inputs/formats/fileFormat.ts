import type { EpochMs } from "../../base/time.ts";
import type { StampLabel } from "../../engine/series/model/seriesOptions.ts";
import type { FormatProblems } from "./formatProblem.ts";
import type { EncodingName } from "./text/decodeBytes.ts";
import type { DecimalSign } from "./text/parseAmount.ts";
import type { Delimiter } from "./text/textTable.ts";
import type { DateOrder } from "./time/parseDate.ts";

/** Options of a file from its user. Each format names the options that it takes. */
export interface FormatOptions {
  /** Area of a market or a grid operator: `tokyo`, `de-lu`. */
  readonly area?: string;
  /** Part of a file of market results: `system`, `additional`, `total`. */
  readonly section?: string;
  /** The auction, if one period has several; as printed: `1`. */
  readonly sequence?: string;
  /** Supply point of a meter file. */
  readonly point?: string;
  /** Year that a typical year is laid out in. */
  readonly year?: number;
  /** IANA zone of local times. */
  readonly timezone?: string;
  /** That of the scenario, for local times of which neither the option nor the file states one. */
  readonly fallback_timezone?: string;
  readonly encoding?: EncodingName;
  readonly delimiter?: Delimiter;
  readonly decimal?: DecimalSign;
  readonly date_order?: DateOrder;
  /** Position of a time stamp in its interval; absent: derived from the file. */
  readonly label?: "start" | "end";
  /** Role: header of the column. */
  readonly columns?: Readonly<Record<string, string>>;
  /** Role: unit of the column, where its header has none. */
  readonly units?: Readonly<Record<string, string>>;
  /** Roles whose sign is reversed. */
  readonly negate?: readonly string[];
  /** Further marks of a missing value. */
  readonly missing?: readonly string[];
  /** Roles whose columns are counters, read by the differences of their readings; `none` states that there are none. */
  readonly registers?: readonly string[];
  /** Header: cell of the rows that are read. */
  readonly where?: Readonly<Record<string, string>>;
  /** Line of the file with the names of the columns. */
  readonly header_row?: number;
  /** Headers of the columns with times: date or time stamp, time of day or slot code, end. */
  readonly time_columns?: readonly string[];
  /** Length of a slot code. */
  readonly slot_minutes?: number;
  /** Capacity in kW of the VPP for which market results become awards. */
  readonly capacity_kw?: number;
  /** The published price that an award gets. */
  readonly price?: "mean" | "max" | "min";
}
export type OptionName = keyof FormatOptions;

/** One column of a file as a function of time. */
export interface SeriesColumn {
  /** Name in scenarios and in written files; ends in its unit. */
  readonly role: string;
  readonly unit: string;
  /** Header of the original. */
  readonly source: string;
  /** `start`: means or prices of the interval that begins at the stamp; `instant`: readings. */
  readonly label: Extract<StampLabel, "start" | "instant">;
  /** Ascending. */
  readonly timesMs: Float64Array;
  /** End of each interval; of a reading, the time before which the next one is expected. */
  readonly endsMs: Float64Array;
  /** NaN: missing. */
  readonly values: Float64Array;
  /** Line of the file of each value. */
  readonly lines: Int32Array;
}

/** A period without a row, between two rows. */
export interface TableGap {
  readonly fromMs: EpochMs;
  readonly toMs: EpochMs;
}

/** Checked columns of a published file. */
export interface SeriesTable {
  readonly kind: "series";
  readonly columns: readonly SeriesColumn[];
  /** The most frequent length of an interval. */
  readonly resolutionMs: number;
  readonly gaps: readonly TableGap[];
  /** Revision of a file that is published again with corrections; the highest one counts. */
  readonly revision?: number;
  /** Location of weather, if the file states it: degrees, north and east positive. */
  readonly location?: Location;
  /** Rules that the reader applied, one sentence each. */
  readonly notes: readonly string[];
}

export interface Location {
  readonly latitudeDeg: number;
  readonly longitudeDeg: number;
}

/** Rows of awards, events or members, with the keys of a scenario, or of bid curves. */
export interface RecordTable {
  readonly kind: "records";
  readonly keys: readonly string[];
  /** Texts as a scenario reads them; empty: absent. */
  readonly rows: readonly (readonly string[])[];
  readonly notes: readonly string[];
}

export type FormatTable = SeriesTable | RecordTable;

/** The beginning of a file, for its recognition. */
export interface FileSample {
  /** File name without its folder. */
  readonly name: string;
  readonly text: string;
  /** The first lines without blanks, full-width characters as ASCII. */
  readonly head: string;
}

export interface FileContent {
  readonly name: string;
  readonly text: string;
  readonly options: FormatOptions;
  readonly problems: FormatProblems;
}

/** A published file format. */
export interface FileFormat {
  /** Name in commands and scenarios: `jepx_spot`. */
  readonly id: string;
  readonly title: string;
  /** The source of the files and its known terms. */
  readonly terms: string;
  readonly options: readonly OptionName[];
  /** 0: certainly not; 1: certainly. */
  detect(sample: FileSample): number;
  /** `null` after reporting problems. */
  read(file: FileContent): FormatTable | null;
}
