/**
 * Eigenvalues and eigenvectors of a symmetric matrix by cyclic Jacobi rotations: slow for large matrices, exact to
 * rounding, and the same on every machine.
 *
 * @param matrix row-major, `size` × `size`; left as it is
 * @returns `vectors`: column k belongs to `values[k]`; row-major, orthonormal
 * @see Golub and Van Loan, Matrix Computations, §8.5
 */
export function symmetricEigen(matrix: Float64Array, size: number): { values: Float64Array; vectors: Float64Array } {
  const a = Float64Array.from(matrix);
  const vectors = new Float64Array(size * size);
  for (let k = 0; k < size; k++) vectors[k * size + k] = 1;
  for (let sweep = 0; sweep < SWEEPS_MAX && offDiagonal(a, size) > 0; sweep++)
    for (let p = 0; p < size - 1; p++) for (let q = p + 1; q < size; q++) rotate(a, vectors, size, p, q);
  return { values: Float64Array.from({ length: size }, (_, k) => a[k * size + k]), vectors };
}

const SWEEPS_MAX = 60;
/** Entries this small against the diagonal are 0 to rounding. */
const NEGLIGIBLE = 1e-17;

function offDiagonal(a: Float64Array, size: number): number {
  let sum = 0;
  for (let p = 0; p < size; p++) for (let q = 0; q < size; q++) if (p !== q) sum += Math.abs(a[p * size + q]);
  return sum;
}

/** Makes entry (p, q) nought by turning the plane of both axes. */
function rotate(a: Float64Array, vectors: Float64Array, size: number, p: number, q: number): void {
  const apq = a[p * size + q];
  const app = a[p * size + p];
  const aqq = a[q * size + q];
  if (Math.abs(apq) <= NEGLIGIBLE * Math.sqrt(Math.abs(app * aqq))) {
    a[p * size + q] = 0;
    a[q * size + p] = 0;
    return;
  }
  const theta = (aqq - app) / (2 * apq);
  const t = (theta < 0 ? -1 : 1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
  const c = 1 / Math.sqrt(t * t + 1);
  const s = t * c;
  for (let k = 0; k < size; k++) rotatePair(a, k * size + p, k * size + q, c, s);
  for (let k = 0; k < size; k++) rotatePair(a, p * size + k, q * size + k, c, s);
  for (let k = 0; k < size; k++) rotatePair(vectors, k * size + p, k * size + q, c, s);
}

function rotatePair(a: Float64Array, p: number, q: number, c: number, s: number): void {
  const x = a[p];
  const y = a[q];
  a[p] = c * x - s * y;
  a[q] = s * x + c * y;
}
