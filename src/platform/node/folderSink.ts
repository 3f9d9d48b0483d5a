import { closeSync, openSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type SinkFile, type StagingFiles, TableWriteError } from "../files.ts";
import { writeAll } from "./writeAll.ts";

/** Files in an existing folder. */
export class FolderSink implements StagingFiles {
  readonly staging: string;

  constructor(staging: string) {
    this.staging = staging;
  }

  open(name: string): SinkFile {
    return new DiskFile(join(this.staging, name));
  }
}

class DiskFile implements SinkFile {
  readonly path: string;
  /** `null`: closed. */
  private descriptor: number | null;

  constructor(path: string) {
    this.path = path;
    this.descriptor = this.withPath(() => openSync(path, "w"));
  }

  write(bytes: Uint8Array): void {
    const { descriptor } = this;
    if (descriptor === null) throw new TableWriteError(`cannot write ${this.path}: it is closed`);
    this.withPath(() => writeAll(descriptor, bytes));
  }

  close(): void {
    const { descriptor } = this;
    if (descriptor === null) return;
    this.descriptor = null;
    this.withPath(() => closeSync(descriptor));
  }

  abort(): void {
    this.close();
    this.withPath(() => rmSync(this.path, { force: true }));
  }

  private withPath<T>(act: () => T): T {
    try {
      return act();
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new TableWriteError(`cannot write ${this.path}: ${reason}`, { cause: error });
    }
  }
}
