import { EigenvalueDecomposition, Matrix } from "ml-matrix";
import { exp, log, pow } from "../../base/elementary.ts";
import { sumOf } from "../../base/lists.ts";
import type { RandomStream } from "../../engine/kernel/randomStreams.ts";

/**
 * Covariance matrix adaptation evolution strategy (CMA-ES) in the unit box. `ask` samples points around a mean. `tell`
 * takes their ranking and moves mean, step length and covariance towards the better half. Only the ranking counts, so
 * values may have any scale, and constraints can be expressed by rank.
 *
 * Points outside the box are clamped to it, and the search adapts to the clamped points.
 *
 * @see Hansen, The CMA evolution strategy: a tutorial, arXiv:1604.00772 (constants have the tutorial's names)
 */
export class CmaEs {
  readonly dimension: number;
  readonly population: number;
  /** Step length relative to the box. */
  sigma: number;
  readonly mean: Float64Array;
  generation = 0;
  private readonly stream: RandomStream;
  private readonly weights: Float64Array;
  private readonly muEff: number;
  private readonly cSigma: number;
  private readonly dSigma: number;
  private readonly cc: number;
  private readonly c1: number;
  private readonly cMu: number;
  /** Expected length of a standard normal vector. */
  private readonly chi: number;
  private readonly covariance: Float64Array;
  private readonly pathSigma: Float64Array;
  private readonly pathC: Float64Array;
  private axes: Float64Array;
  private scales: Float64Array;
  /** Generations between two eigendecompositions of the covariance, which take O(n³). */
  private readonly eigenEvery: number;
  private eigenAt = 0;
  private points: Float64Array[] = [];

  constructor(options: {
    readonly mean: ArrayLike<number>;
    readonly sigma: number;
    readonly population: number;
    readonly stream: RandomStream;
  }) {
    const n = options.mean.length;
    const mu = Math.floor(options.population / 2);
    this.dimension = n;
    this.population = options.population;
    this.mean = Float64Array.from(options.mean);
    this.sigma = options.sigma;
    this.stream = options.stream;
    const raw = Array.from({ length: mu }, (_, k) => log(mu + 0.5) - log(k + 1));
    const sum = sumOf(raw);
    this.weights = Float64Array.from(raw, (weight) => weight / sum);
    this.muEff = 1 / sumOf(this.weights, (weight) => weight * weight);
    const muEff = this.muEff;
    this.cSigma = (muEff + 2) / (n + muEff + 5);
    this.dSigma = 1 + 2 * Math.max(0, Math.sqrt((muEff - 1) / (n + 1)) - 1) + this.cSigma;
    this.cc = (4 + muEff / n) / (n + 4 + (2 * muEff) / n);
    this.c1 = 2 / ((n + 1.3) ** 2 + muEff);
    this.cMu = Math.min(1 - this.c1, (2 * (muEff - 2 + 1 / muEff)) / ((n + 2) ** 2 + muEff));
    this.eigenEvery = 1 / (10 * n * (this.c1 + this.cMu));
    this.chi = Math.sqrt(n) * (1 - 1 / (4 * n) + 1 / (21 * n * n));
    this.covariance = identity(n);
    this.axes = identity(n);
    this.scales = new Float64Array(n).fill(1);
    this.pathSigma = new Float64Array(n);
    this.pathC = new Float64Array(n);
  }

  /** The next points to evaluate, inside the box. @param given points that replace the first sampled ones */
  ask(given: readonly ArrayLike<number>[] = []): readonly Float64Array[] {
    this.points = Array.from({ length: this.population }, (_, k) => {
      const drawn = this.draw();
      return k < given.length ? Float64Array.from(given[k], clamped) : drawn;
    });
    return this.points;
  }

  private draw(): Float64Array {
    const n = this.dimension;
    const steps = Float64Array.from({ length: n }, (_, k) => this.scales[k] * this.stream.nextNormal());
    const point = new Float64Array(n);
    for (let i = 0; i < n; i++) {
      let step = 0;
      for (let k = 0; k < n; k++) step += this.axes[i * n + k] * steps[k];
      point[i] = clamped(this.mean[i] + this.sigma * step);
    }
    return point;
  }

  /** @param order indices of the points of the last `ask`, best first */
  tell(order: readonly number[]): void {
    const n = this.dimension;
    this.generation++;
    const chosen = Array.from(this.weights, (_, k) => this.points[order[k]]);
    const previousMean = Float64Array.from(this.mean);
    this.mean.fill(0);
    chosen.forEach((point, k) => {
      for (let i = 0; i < n; i++) this.mean[i] += this.weights[k] * point[i];
    });
    const shift = Float64Array.from(this.mean, (value, i) => (value - previousMean[i]) / this.sigma);
    const lengthSigma = this.updateSigmaPath(shift);
    const expected = Math.sqrt(1 - pow(1 - this.cSigma, 2 * this.generation));
    const heaviside = lengthSigma / expected < (1.4 + 2 / (n + 1)) * this.chi ? 1 : 0;
    this.updateCovariancePath(shift, heaviside);
    this.adaptCovariance(chosen, previousMean, heaviside);
    this.sigma *= exp(Math.min(1, (this.cSigma / this.dSigma) * (lengthSigma / this.chi - 1)));
    if (this.generation - this.eigenAt >= this.eigenEvery) this.decompose();
  }

  /** @returns length of the evolution path, in which consistent directions add up */
  private updateSigmaPath(shift: Float64Array): number {
    const n = this.dimension;
    const rate = Math.sqrt(this.cSigma * (2 - this.cSigma) * this.muEff);
    // The shift multiplied by the inverse square root of the covariance.
    const inner = new Float64Array(n);
    for (let k = 0; k < n; k++) {
      let projection = 0;
      for (let i = 0; i < n; i++) projection += this.axes[i * n + k] * shift[i];
      inner[k] = projection / this.scales[k];
    }
    let square = 0;
    for (let i = 0; i < n; i++) {
      let whitened = 0;
      for (let k = 0; k < n; k++) whitened += this.axes[i * n + k] * inner[k];
      this.pathSigma[i] = (1 - this.cSigma) * this.pathSigma[i] + rate * whitened;
      square += this.pathSigma[i] ** 2;
    }
    return Math.sqrt(square);
  }

  /** @param heaviside  h_σ of CMA-ES: 0 while the path of the step size is long, which stalls the path of the covariance */
  private updateCovariancePath(shift: Float64Array, heaviside: 0 | 1): void {
    const rate = heaviside * Math.sqrt(this.cc * (2 - this.cc) * this.muEff);
    for (let i = 0; i < this.dimension; i++) this.pathC[i] = (1 - this.cc) * this.pathC[i] + rate * shift[i];
  }

  private adaptCovariance(chosen: readonly Float64Array[], previousMean: Float64Array, heaviside: 0 | 1): void {
    const n = this.dimension;
    const stallCorrection = (1 - heaviside) * this.cc * (2 - this.cc);
    const retained = 1 - this.c1 - this.cMu + this.c1 * stallCorrection;
    for (let i = 0; i < n; i++)
      for (let j = 0; j <= i; j++) {
        let spread = 0;
        for (let k = 0; k < chosen.length; k++)
          spread += this.weights[k] * (chosen[k][i] - previousMean[i]) * (chosen[k][j] - previousMean[j]);
        const value =
          retained * this.covariance[i * n + j] +
          this.c1 * this.pathC[i] * this.pathC[j] +
          (this.cMu * spread) / this.sigma ** 2;
        this.covariance[i * n + j] = value;
        this.covariance[j * n + i] = value;
      }
  }

  private decompose(): void {
    this.eigenAt = this.generation;
    const { values, vectors } = symmetricEigen(this.covariance, this.dimension);
    this.axes = vectors;
    this.scales = values.map((value) => Math.sqrt(Math.max(value, SMALLEST_VARIANCE)));
  }

  /** Longest and shortest axis of the sampling distribution, relative to the box. */
  get axisLengths(): { readonly longest: number; readonly shortest: number } {
    return { longest: this.sigma * Math.max(...this.scales), shortest: this.sigma * Math.min(...this.scales) };
  }
}

const SMALLEST_VARIANCE = 1e-30;

function identity(n: number): Float64Array {
  const matrix = new Float64Array(n * n);
  for (let k = 0; k < n; k++) matrix[k * n + k] = 1;
  return matrix;
}

const clamped = (value: number): number => Math.min(1, Math.max(0, value));

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
