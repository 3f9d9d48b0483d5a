/** Equal distances in a row that make a step; fewer may be missing rows. */
const LASTING_DISTANCES = 3;
/** Longer distances than this many steps have a missing row. */
const MAX_STEPS = 1.5;

/**
 * Lengths of the intervals that begin at rising positions (docs/model/series.md#interval-lengths).
 *
 * Three equal distances are a step. Other rows have the step before them, or the next one at the start; without any, the
 * lower median of the distances. A row whose distance is more than one and a half steps has an interval of one step and a gap
 * behind it; any other interval reaches to the next row. The last one is as long as the one before.
 *
 * @returns one length a position; 0 for a single position
 */
export function intervalLengths(positions: Float64Array): Float64Array {
  const count = positions.length - 1;
  const lengths = new Float64Array(positions.length);
  for (let k = 0; k < count; k++) lengths[k] = positions[k + 1] - positions[k];
  if (count > 0) cutToSteps(lengths.subarray(0, count));
  lengths[count] = count > 0 ? lengths[count - 1] : 0;
  return lengths;
}

/** The same for intervals that end at the positions. */
export const lengthsOfEnds = (positions: Float64Array): Float64Array =>
  intervalLengths(positions.map((position) => -position).reverse()).reverse();

function cutToSteps(distances: Float64Array): void {
  let step = Number.NaN;
  for (let from = 0; from < distances.length; ) {
    let to = from + 1;
    while (to < distances.length && distances[to] === distances[from]) to++;
    if (to - from >= LASTING_DISTANCES) step = distances[from];
    else if (!Number.isNaN(step)) cut(distances, from, to, step);
    else {
      // Only the rows before the first step, so that looking ahead is done once.
      step = firstStep(distances, to);
      cut(distances, from, to, step);
    }
    from = to;
  }
}

function cut(distances: Float64Array, from: number, to: number, step: number): void {
  for (let k = from; k < to; k++) if (distances[k] > MAX_STEPS * step) distances[k] = step;
}

function firstStep(distances: Float64Array, from: number): number {
  for (let k = from; k + LASTING_DISTANCES <= distances.length; k++)
    if (distances[k] === distances[k + 1] && distances[k] === distances[k + 2]) return distances[k];
  return distances.slice().sort()[(distances.length - 1) >> 1];
}
