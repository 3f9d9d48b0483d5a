import { mean, sampleStandardDeviation } from "simple-statistics";
import { exp, log } from "../../base/elementary.ts";

/** A mean over seeds with its confidence interval. The ends are `null` for a single seed, which has no variance. */
export interface Estimate {
  readonly mean: number;
  readonly low: number | null;
  readonly high: number | null;
}

/** Student's t interval of the mean of independent values. */
export function estimateMean(values: readonly number[], confidence: number): Estimate {
  const centre = mean([...values]);
  if (values.length < 2) return { mean: centre, low: null, high: null };
  const standardError = sampleStandardDeviation([...values]) / Math.sqrt(values.length);
  const halfWidth = standardError === 0 ? 0 : quantile(confidence, values.length - 1) * standardError;
  return { mean: centre, low: centre - halfWidth, high: centre + halfWidth };
}

/** A study needs one quantile a million times: computing it took a quarter of the time of a study of short runs. */
let cachedQuantile = { confidence: Number.NaN, freedom: 0, value: 0 };
function quantile(confidence: number, freedom: number): number {
  if (cachedQuantile.confidence !== confidence || cachedQuantile.freedom !== freedom)
    cachedQuantile = { confidence, freedom, value: studentTQuantile(confidence, freedom) };
  return cachedQuantile.value;
}

/**
 * Quantiles of Student's t distribution. The distribution function is an incomplete beta function, evaluated by its
 * continued fraction and inverted by bisection. simple-statistics has no t quantile. The packages with one have more
 * than a hundred dependencies, or agree with the tables to nine digits only.
 *
 * @see Abramowitz and Stegun, Handbook of Mathematical Functions, 26.5.8 and 26.7.1
 */

/**
 * The quantile t with P(|T| <= t) = confidence.
 *
 * @param confidence 0..1, exclusive
 * @param freedom    degrees of freedom, at least 1
 */
export function studentTQuantile(confidence: number, freedom: number): number {
  let low = 0;
  let high = 1;
  while (withinProbability(high, freedom) < confidence) high *= 2;
  for (let k = 0; k < 200 && high - low > 1e-12 * high; k++) {
    const middle = 0.5 * (low + high);
    if (withinProbability(middle, freedom) < confidence) low = middle;
    else high = middle;
  }
  return 0.5 * (low + high);
}

/** Probability that |T| is at most a value. */
const withinProbability = (t: number, freedom: number): number => 1 - beyondProbability(t, freedom);

/** Probability that |T| is above a value. */
const beyondProbability = (t: number, freedom: number): number =>
  incompleteBeta(freedom / (freedom + t * t), freedom / 2, 0.5);

/**
 * The distribution function: P(T <= t), to full relative accuracy below 0.
 *
 * @param freedom degrees of freedom, at least 1
 */
export function studentTProbability(t: number, freedom: number): number {
  const tail = 0.5 * beyondProbability(t, freedom);
  return t < 0 ? tail : 1 - tail;
}

/** Regularised incomplete beta function. @param x 0..1 */
function incompleteBeta(x: number, a: number, b: number): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  // The fraction converges fast on one side of the mean only; the other side follows by symmetry.
  if (x > (a + 1) / (a + b + 2)) return 1 - incompleteBeta(1 - x, b, a);
  const front = exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * log(x) + b * log(1 - x));
  return (front * betaFraction(x, a, b)) / a;
}

const TINY = 1e-300;

/** By Lentz's method. */
function betaFraction(x: number, a: number, b: number): number {
  const nonZero = (value: number) => (Math.abs(value) < TINY ? TINY : value);
  let c = 1;
  let d = 1 / nonZero(1 - ((a + b) * x) / (a + 1));
  let fraction = d;
  for (let m = 1; m < 500; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / nonZero(1 + even * d);
    c = nonZero(1 + even / c);
    fraction *= d * c;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / nonZero(1 + odd * d);
    c = nonZero(1 + odd / c);
    const change = d * c;
    fraction *= change;
    if (Math.abs(change - 1) < 1e-15) break;
  }
  return fraction;
}

/** Logarithm of the gamma function for arguments above 0: Stirling's series, after raising small ones. */
function logGamma(x: number): number {
  let shift = 0;
  let raised = x;
  for (; raised < 10; raised++) shift += log(raised);
  const inverse = 1 / raised;
  const square = inverse * inverse;
  const series = inverse * (1 / 12 - square * (1 / 360 - square * (1 / 1260 - square / 1680)));
  return (raised - 0.5) * log(raised) - raised + 0.5 * log(2 * Math.PI) + series - shift;
}
