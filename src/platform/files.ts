// All that the core knows of files. Paths are texts of the host, with "/" between folders.

/** Files that a run reads. */
export interface InputFiles {
  /** `null`: there is no such file, or it cannot be read. */
  read(path: string): Uint8Array | null;
  /** Absent: there are only files. */
  isFolder?(path: string): boolean;
  /**
   * A file and its length, read piece by piece; each piece is valid until the next one. `null`: only `read` can tell. Absent: files
   * are in memory.
   */
  openPieces?(path: string): { readonly byteCount: number; readonly pieces: Iterable<Uint8Array> } | null;
}

/** One file being written, from its start to its end. Its errors name the path. @throws TableWriteError */
export interface SinkFile {
  readonly path: string;
  write(bytes: Uint8Array): void;
  close(): void;
  /** Removes the file, also after `close`. */
  abort(): void;
}

/** A report file could not be written, for example because of a full disk or missing permission. */
export class TableWriteError extends Error {
  override name = "TableWriteError";
}

/** Files of a report that no reader sees yet. */
export interface StagingFiles {
  /** Creates a file, or empties it. */
  open(name: string): SinkFile;
}

/** One report being written. The reader sees nothing of it before `publish`, and then the whole. */
export interface ReportSink extends StagingFiles {
  /** Absolute path of the report. */
  readonly target: string;
  /** Folder in which another thread can open a sink (`platform.openStaging`); `null`: this thread alone writes. */
  readonly staging: string | null;
  /** Replaces an older report. @throws InputErrors if it must not be replaced; it is then unchanged */
  publish(): void;
  /** Removes what was written. */
  discard(): void;
}

/** Lists the other files of a report by name, with their digests. */
export const RUN_FILE = "run.json";

/** The table of a study, whose report also has `RESULTS_FILE`. */
export const STUDY_FILE = "study.csv";

/** Finished runs of a study. run.json does not list it, because it differs between equal studies. */
export const RESULTS_FILE = "results.jsonl";
