/** As many numbers as a piece has: short arrays that are taken one after the other stand side by side in it. */
const PIECE = 8192;

/** Short arrays of numbers, cut from long ones: each by itself would cost a call to the system's memory. */
export class Slab {
  #piece = new Float64Array(0);
  #used = 0;

  /** So many zeros, for good. */
  take(length: number): Float64Array<ArrayBuffer> {
    if (this.#piece.length < this.#used + length) {
      this.#piece = new Float64Array(Math.max(PIECE, length));
      this.#used = 0;
    }
    const numbers = new Float64Array(this.#piece.buffer, 8 * this.#used, length);
    this.#used += length;
    return numbers;
  }
}
