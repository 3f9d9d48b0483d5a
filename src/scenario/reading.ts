import type { EpochMs } from "../base/time.ts";
import type { DocumentChecker } from "./checkDocument.ts";
import type { ScenarioFiles } from "./scenarioFiles.ts";
import type { SeriesBook } from "./seriesBook.ts";

/** What every part of the reading of one scenario shares. */
export interface Reading {
  /** Absolute path of the scenario file. */
  readonly file: string;
  /** The same as the user named it; other files are shown beside it. */
  readonly shownFile: string;
  readonly files: ScenarioFiles;
  readonly checker: DocumentChecker;
  readonly warnings: string[];
}

/** The same once the period is known and the series can be asked for. */
export interface Building extends Reading {
  readonly startMs: EpochMs;
  readonly endMs: EpochMs;
  readonly series: SeriesBook;
}
