import { assert } from "../../../base/assert.ts";
import { Copyable } from "../../../base/copyState.ts";

/**
 * Rainflow counting of the cycles of a state of charge by depth, with the three-point rule.
 *
 * Only unpaired turning points are stored, so a year of values needs little memory. A range that starts at the first
 * value counts as half a cycle, as does every range that is unpaired at the end.
 *
 * @see ASTM E1049-85 (2017), section 5.4.4
 */
export class RainflowCounter extends Copyable {
  private readonly classWidth: number;
  private readonly cycles: Float64Array;
  /** Turning points not yet paired: each range between them is smaller than the one before. */
  private readonly turningPoints: number[] = [];
  /** Last value; it becomes a turning point when the direction changes. */
  private lastValue = Number.NaN;

  /**
   * @param classWidth  in the unit of the values; class k has the depths in (k·classWidth, (k+1)·classWidth], and the
   *   last class all larger depths too
   */
  constructor(classWidth: number, classCount: number) {
    super();
    assert(0 < classWidth && 1 <= classCount, "there is at least one depth class, and the class width is above 0");
    this.classWidth = classWidth;
    this.cycles = new Float64Array(classCount);
  }

  /** Adds the next value of the series. */
  add(value: number): void {
    const last = this.lastValue;
    if (value === last) return;
    this.lastValue = value;
    if (Number.isNaN(last)) return;
    const open = this.turningPoints;
    if (open.length === 0 || last < open[open.length - 1] === last < value) {
      open.push(last);
      this.countClosedRanges(open, this.cycles);
    }
  }

  /** Cycles per depth class so far, with half cycles; more values may be added afterwards. */
  countCycles(): Float64Array {
    const cycles = this.cycles.slice();
    if (Number.isNaN(this.lastValue)) return cycles;
    const rest = [...this.turningPoints, this.lastValue];
    this.countClosedRanges(rest, cycles);
    for (let k = 1; k < rest.length; k++) this.addCycle(cycles, Math.abs(rest[k] - rest[k - 1]), 0.5);
    return cycles;
  }

  /** Counts and removes every range that the next range covers. */
  private countClosedRanges(open: number[], cycles: Float64Array): void {
    while (3 <= open.length) {
      const end = open.length - 1;
      const depth = Math.abs(open[end - 1] - open[end - 2]);
      if (Math.abs(open[end] - open[end - 1]) < depth) return;
      if (open.length === 3) {
        this.addCycle(cycles, depth, 0.5);
        open[0] = open[1];
        open[1] = open[2];
        open.pop();
      } else {
        this.addCycle(cycles, depth, 1);
        open[end - 2] = open[end];
        open.length = end - 1;
      }
    }
  }

  private addCycle(cycles: Float64Array, depth: number, weight: number): void {
    // A depth that rounding put just above a class edge still belongs below it.
    const k = Math.ceil(depth / this.classWidth - 1e-9) - 1;
    cycles[Math.min(cycles.length - 1, Math.max(0, k))] += weight;
  }
}
