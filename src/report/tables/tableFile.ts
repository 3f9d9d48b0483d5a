import { createHash } from "node:crypto";
import { closeSync, openSync, rmSync, writeSync } from "node:fs";

/** A report file could not be written, for example because of a full disk or missing permission. */
export class TableWriteError extends Error {
  override name = "TableWriteError";
}

/** A file written sequentially. Its errors contain the path. */
export class TableFile {
  readonly path: string;
  private readonly hash = createHash("sha256");
  private descriptor: number | null = null;
  private digestHex: string | null = null;

  constructor(path: string) {
    this.path = path;
    this.descriptor = this.withFileErrors(() => openSync(path, "w"));
  }

  write(bytes: Uint8Array): void {
    const descriptor = this.descriptor;
    if (descriptor === null) throw new TableWriteError(`cannot write ${this.path}: it is closed`);
    this.hash.update(bytes);
    // writeSync may write fewer bytes than given, as on a nearly full disk.
    for (let at = 0; at < bytes.length; ) {
      at += this.withFileErrors(() => writeSync(descriptor, bytes, at, bytes.length - at));
    }
  }

  /** SHA-256 in hex, computed while writing, so that a large file is not read again. */
  get digest(): string {
    this.digestHex ??= this.hash.digest("hex");
    return this.digestHex;
  }

  close(): void {
    const descriptor = this.descriptor;
    if (descriptor === null) return;
    this.descriptor = null;
    this.withFileErrors(() => closeSync(descriptor));
  }

  abort(): void {
    this.close();
    this.withFileErrors(() => rmSync(this.path, { force: true }));
  }

  private withFileErrors<T>(act: () => T): T {
    try {
      return act();
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new TableWriteError(`cannot write ${this.path}: ${reason}`, { cause: error });
    }
  }
}
