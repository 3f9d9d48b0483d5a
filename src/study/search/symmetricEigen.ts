import { EigenvalueDecomposition, Matrix } from "ml-matrix";

/**
 * Eigenvalues and eigenvectors of a symmetric matrix.
 *
 * @param matrix row-major, `size` × `size`; not modified
 * @returns `vectors`: column k belongs to `values[k]`; row-major, orthonormal
 */
export function symmetricEigen(matrix: Float64Array, size: number): { values: Float64Array; vectors: Float64Array } {
  const decomposition = new EigenvalueDecomposition(Matrix.from1DArray(size, size, matrix), { assumeSymmetric: true });
  return {
    values: Float64Array.from(decomposition.realEigenvalues),
    vectors: Float64Array.from(decomposition.eigenvectorMatrix.to1DArray()),
  };
}
