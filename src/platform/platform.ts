import type { InputFiles, ReportSink, StagingFiles } from "./files.ts";

/** SHA-256 of what it is updated with. */
export interface Sha256 {
  update(content: string | Uint8Array): void;
  digest(): Uint8Array;
}

/** As those of `node:path`. */
interface Paths {
  basename(path: string, ending?: string): string;
  dirname(path: string): string;
  isAbsolute(path: string): boolean;
  join(...parts: string[]): string;
  relative(from: string, to: string): string;
  resolve(...parts: string[]): string;
}

/** A thread that answers tasks in order. */
export interface Thread {
  /** @throws the error that ended the thread */
  readonly run: <Answer>(task: object) => Promise<Answer>;
  /** Ends the thread; tasks that have no answer yet fail. */
  readonly close: () => Promise<void>;
}

/** What a run takes from its host. `#platform` is that of Node, or of a browser under the condition `browser`. */
export interface Platform {
  /** Such as "v20.20.2" or "Chromium 156"; in run.json alone. */
  readonly engine: string;
  /** Number of threads that run at once. */
  readonly processors: number;
  sha256(): Sha256;
  /** The same of a whole content, as 64 hexadecimal digits. */
  sha256Hex(content: string | Uint8Array): string;
  isUtf8(bytes: Uint8Array): boolean;
  /** @throws RangeError if the unpacked bytes are more than the limit, another error if they are damaged */
  gunzip(bytes: Uint8Array, bytesMax: number): Uint8Array;
  /** Lets the host deliver messages and signals. */
  yield(): Promise<void>;
  /** @param name  file of the thread below src, without ending; */
  openThread(name: string): Thread;
  /** In a thread: answers each task when the ones before it have been answered. An error of a task ends the thread. */
  answerTasks<Task, Answer>(answer: (task: Task) => Answer | Promise<Answer>): void;
  /** Of the host's paths. */
  readonly paths: Paths;
  /** Files by path. @throws InputErrors for what is no regular file, such as a named pipe */
  readonly files: InputFiles;
  exists(path: string): boolean;
  /** Bytes of a file in pieces, which are valid until the next one. @throws as `files` does, or the error of the system */
  readPieces(path: string): Generator<Uint8Array, void>;
  /**
   * Opens a report for writing.
   *
   * @param inputs  files that it is computed from: a folder with one of them is never replaced
   * @throws InputErrors if the target must not be replaced, or cannot be created
   */
  openReport(target: string, inputs: Iterable<string>): ReportSink;
  /** The open report of another thread, by its `staging`. */
  openStaging(staging: string): StagingFiles;
  /** Restores a report that is read, if the replacement of it was interrupted. */
  restoreReport(target: string): void;
  /** Files of a folder of the package's data, by name without ending. */
  shippedFiles(folder: string): ReadonlyMap<string, string>;
  /** The package, loaded with its first use. */
  xmlParser(): typeof import("fast-xml-parser");
  iconv(): typeof import("iconv-lite");
  loadHighs(): Promise<import("highs").Highs>;
}
