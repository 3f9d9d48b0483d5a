import { joinBytes } from "../../base/bytes.ts";
import type { InputFiles, ReportSink, SinkFile } from "../files.ts";
import { join, resolve } from "./paths.ts";

/** Files in memory, by absolute path: the inputs of a job, and the reports that it writes. */
export class MemoryDisk implements InputFiles {
  private readonly contents = new Map<string, Uint8Array>();

  read(path: string): Uint8Array | null {
    return this.contents.get(resolve(path)) ?? null;
  }

  isFolder(path: string): boolean {
    return this.namesIn(path).length > 0;
  }

  exists(path: string): boolean {
    return this.contents.has(resolve(path)) || this.isFolder(path);
  }

  /** Replaces all files. */
  fill(files: ReadonlyMap<string, Uint8Array>): void {
    this.contents.clear();
    for (const [path, bytes] of files) this.contents.set(resolve("/", path), bytes);
  }

  /** Removes the files of a folder. @returns them by name, sorted */
  takeFilesIn(folder: string): ReadonlyMap<string, Uint8Array> {
    const taken = new Map<string, Uint8Array>();
    for (const name of this.namesIn(folder).sort()) {
      const path = resolve(folder, name);
      taken.set(name, this.contents.get(path) ?? new Uint8Array());
      this.contents.delete(path);
    }
    return taken;
  }

  /** A report that appears in its folder when it is published. */
  openReport(target: string): ReportSink {
    const files = new Map<string, MemoryFile>();
    return {
      target: resolve(target),
      staging: null,
      open: (name) => {
        const file = new MemoryFile(join(target, name), () => files.delete(name));
        files.set(name, file);
        return file;
      },
      publish: () => {
        for (const name of this.namesIn(target)) this.contents.delete(resolve(target, name));
        for (const [name, file] of files) this.contents.set(resolve(target, name), file.joined());
      },
      discard: () => files.clear(),
    };
  }

  private namesIn(folder: string): string[] {
    const start = `${resolve(folder).replace(/\/$/, "")}/`;
    return [...this.contents.keys()].filter((path) => path.startsWith(start)).map((path) => path.slice(start.length));
  }
}

class MemoryFile implements SinkFile {
  readonly path: string;
  readonly abort: () => void;
  private readonly chunks: Uint8Array[] = [];

  constructor(path: string, abort: () => void) {
    this.path = path;
    this.abort = abort;
  }

  /** The writer uses its buffer again. */
  write(bytes: Uint8Array): void {
    this.chunks.push(bytes.slice());
  }

  close(): void {}

  /** The whole content, which leaves the file. */
  joined(): Uint8Array {
    return joinBytes(this.chunks.splice(0));
  }
}
