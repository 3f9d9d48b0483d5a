const CHUNK_BYTES = 1 << 22;

/** Memory in which rows are handed over, one block after another. */
export class RowMemory {
  private readonly allocate: (bytes: number) => Uint8Array;
  private readonly chunks: Uint8Array[] = [];
  private chunk = 0;
  private from = 0;
  private to = 0;

  constructor(allocate: (bytes: number) => Uint8Array = (bytes) => new Uint8Array(bytes)) {
    this.allocate = allocate;
  }

  /** Adds to the current block. */
  add(bytes: Uint8Array): void {
    if (this.chunk === this.chunks.length || this.chunks[this.chunk].length < this.to + bytes.length)
      this.moveToNextChunk(bytes.length);
    this.chunks[this.chunk].set(bytes, this.to);
    this.to += bytes.length;
  }

  /** Ends the block. */
  take(): Uint8Array {
    if (this.chunk === this.chunks.length) return new Uint8Array(0);
    const block = this.chunks[this.chunk].subarray(this.from, this.to);
    this.from = this.to;
    return block;
  }

  /** Makes room for rows when no one reads the former ones. */
  clear(): void {
    this.chunk = 0;
    this.from = 0;
    this.to = 0;
  }

  private moveToNextChunk(more: number): void {
    const block = this.chunk < this.chunks.length ? this.chunks[this.chunk].subarray(this.from, this.to) : null;
    const length = (block?.length ?? 0) + more;
    if (block !== null) this.chunk++;
    if (this.chunk === this.chunks.length || this.chunks[this.chunk].length < length)
      this.chunks.splice(this.chunk, 0, this.allocate(Math.max(CHUNK_BYTES, 2 * length)));
    if (block !== null) this.chunks[this.chunk].set(block);
    this.from = 0;
    this.to = block?.length ?? 0;
  }
}
