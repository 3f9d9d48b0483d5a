import { createHash } from "node:crypto";
import { closeSync, openSync, rmSync, writeSync } from "node:fs";

/** A report file could not be written: full disk, missing folder, no permission. */
export class TableWriteError extends Error {
  override name = "TableWriteError";
}

/** A file written from start to end, whose errors name it. */
export class TableFile {
  readonly path: string;
  readonly #hash = createHash("sha256");
  #descriptor: number | null = null;
  #digest: string | null = null;

  constructor(path: string) {
    this.path = path;
    this.#descriptor = this.#withFileErrors(() => openSync(path, "w"));
  }

  write(bytes: Uint8Array): void {
    const descriptor = this.#descriptor;
    if (descriptor === null) throw new TableWriteError(`cannot write ${this.path}: it is closed`);
    this.#hash.update(bytes);
    // A write may take less than it is given, as on a disk that is nearly full.
    for (let at = 0; at < bytes.length; ) {
      at += this.#withFileErrors(() => writeSync(descriptor, bytes, at, bytes.length - at));
    }
  }

  /** SHA-256 of what was written, in hex; on its way, so that a large file need not be read again. */
  get digest(): string {
    this.#digest ??= this.#hash.digest("hex");
    return this.#digest;
  }

  close(): void {
    const descriptor = this.#descriptor;
    if (descriptor === null) return;
    this.#descriptor = null;
    this.#withFileErrors(() => closeSync(descriptor));
  }

  abort(): void {
    this.close();
    this.#withFileErrors(() => rmSync(this.path, { force: true }));
  }

  #withFileErrors<T>(act: () => T): T {
    try {
      return act();
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new TableWriteError(`cannot write ${this.path}: ${reason}`, { cause: error });
    }
  }
}
