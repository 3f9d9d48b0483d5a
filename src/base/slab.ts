import { Copyable } from "./copyState.ts";

/** Numbers per chunk; consecutive allocations are adjacent in it. */
const CHUNK_LENGTH = 8192;

/** Allocates short number arrays from large chunks, which is faster than separate allocations. */
export class Slab extends Copyable {
  private chunk = new Float64Array(0);
  private used = 0;

  /** An array of zeros; it is never freed separately. */
  allocate(length: number): Float64Array<ArrayBuffer> {
    if (this.chunk.length < this.used + length) {
      this.chunk = new Float64Array(Math.max(CHUNK_LENGTH, length));
      this.used = 0;
    }
    const numbers = new Float64Array(this.chunk.buffer, 8 * this.used, length);
    this.used += length;
    return numbers;
  }
}
