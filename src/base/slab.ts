/** As many numbers as a piece has: short arrays that are taken one after the other stand side by side in it. */
const CHUNK_LENGTH = 8192;

/** Short arrays of numbers, cut from long ones: each by itself would cost a call to the system's memory. */
export class Slab {
  #chunk = new Float64Array(0);
  #used = 0;

  /** So many zeros, for good. */
  allocate(length: number): Float64Array<ArrayBuffer> {
    if (this.#chunk.length < this.#used + length) {
      this.#chunk = new Float64Array(Math.max(CHUNK_LENGTH, length));
      this.#used = 0;
    }
    const numbers = new Float64Array(this.#chunk.buffer, 8 * this.#used, length);
    this.#used += length;
    return numbers;
  }
}
