import { Matrix, SingularValueDecomposition, solve } from "ml-matrix";
import type { EnergyWindow } from "./energyWindows.ts";

/**
 * ΔSOC = a · E_in − b · E_out − k · mean SOC · T, in shares of the capacity: a and b per kWh, k per day
 * (docs/model/twin.md#energy-balance).
 */
export type Balance = readonly [a: number, b: number, k: number];

/** Combinations of a, b and k that the fit may change, and what stays as it is. */
export interface BalanceShape {
  readonly directions: readonly Balance[];
  readonly fixed: Balance;
}

export const changeOf = ({ inKwh, outKwh, meanSocFraction, days }: EnergyWindow, [a, b, k]: Balance): number =>
  a * inKwh - b * outKwh - k * meanSocFraction * days;

/** Sums of the normal equations of windows, which may repeat. */
export class BalanceSums {
  readonly matrix: number[][] = [0, 1, 2].map(() => [0, 0, 0]);
  readonly right: number[] = [0, 0, 0];

  constructor(windows: Iterable<EnergyWindow>) {
    for (const { inKwh, outKwh, meanSocFraction, days, socChange } of windows) {
      const x = [inKwh, -outKwh, -meanSocFraction * days];
      for (let i = 0; i < 3; i++) {
        this.right[i] += x[i] * socChange;
        for (let j = 0; j < 3; j++) this.matrix[i][j] += x[i] * x[j];
      }
    }
  }

  /** Least squares with k of at least 0; NaN where the windows do not determine it. */
  fit(shape: BalanceShape): Balance {
    const free = this.solve(shape);
    const k = shape.directions.some((direction) => direction[2] !== 0) ? free[2] : 0;
    return 0 <= k ? free : this.solve({ ...shape, directions: shape.directions.filter((each) => each[2] === 0) });
  }

  private solve({ directions, fixed }: BalanceShape): Balance {
    const { matrix, right } = this;
    const times = (vector: Balance): number[] => matrix.map((row) => dot(row, vector));
    const rest = times(fixed).map((value, i) => right[i] - value);
    const normal = new Matrix(directions.map((one) => directions.map((other) => dot(times(one), other))));
    if (conditionOf(normal) > SINGULAR) return [Number.NaN, Number.NaN, Number.NaN];
    const amounts = solve(normal, Matrix.columnVector(directions.map((one) => dot(rest, one)))).getColumn(0);
    const at = (i: number): number => fixed[i] + directions.reduce((sum, one, j) => sum + amounts[j] * one[i], 0);
    return [at(0), at(1), at(2)];
  }

  /** Of the normal matrix with a diagonal of ones. */
  get condition(): number {
    return conditionOf(new Matrix(this.matrix));
  }
}

const SINGULAR = 1e12;

function conditionOf(matrix: Matrix): number {
  const scale = matrix.diagonal().map(Math.sqrt);
  if (scale.some((value) => !(0 < value))) return Number.POSITIVE_INFINITY;
  const scaled = new Matrix(matrix.to2DArray().map((row, i) => row.map((value, j) => value / scale[i] / scale[j])));
  return new SingularValueDecomposition(scaled).condition;
}

const dot = (one: readonly number[], other: readonly number[]): number =>
  one.reduce((sum, value, k) => sum + value * other[k], 0);
