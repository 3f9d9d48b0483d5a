import { describe, expect, test } from "vitest";
import { placeOf, type TimeBar, ticksOf, tracksOf } from "../../src/dashboard/pages/schedules/timeLine.ts";

const HOUR = 3_600_000;
const barOf = (id: string, start: number, end: number): TimeBar => ({
  id,
  startMs: start * HOUR,
  endMs: end * HOUR,
  label: id,
  title: id,
  state: "pending",
});

describe("time line", () => {
  test("bars that overlap stand in tracks of their own, others share one", () => {
    const bars = [barOf("c", 3, 5), barOf("a", 0, 2), barOf("b", 1, 3), barOf("d", 2, 3)];
    const ids = tracksOf(bars).map((track) => track.map(({ id }) => id).join(""));
    expect(ids).toEqual(["adc", "b"]);
  });

  test("an event that finds no free track cuts the label of the earliest one, and none is left without a place", () => {
    const eventOf = (id: string, start: number): TimeBar => ({ ...barOf(id, start, start + 3), state: "event" });
    const events = ["a", "b", "c", "d", "e"].map((id, k) => eventOf(id, k));
    const tracks = tracksOf(events, 2);
    expect(
      tracks.map((track) => track.map(({ id, startMs, endMs }) => `${id} ${startMs / HOUR}-${endMs / HOUR}`)),
    ).toEqual([
      ["a 0-2", "c 2-4", "e 4-7"],
      ["b 1-3", "d 3-6"],
    ]);
    // Events at one instant have nothing to cut: they take tracks of their own.
    expect(tracksOf([eventOf("a", 1), eventOf("b", 1), eventOf("c", 1)], 2)).toHaveLength(3);
    // What lasts is never cut.
    expect(tracksOf([barOf("a", 0, 4), barOf("b", 1, 4), eventOf("c", 2)], 2)).toHaveLength(3);
  });

  test("a bar is cut to the window, and one outside has no place", () => {
    const window = { fromMs: 0, toMs: 10 * HOUR };
    expect(placeOf(barOf("a", 2, 4), window)).toEqual({ left: 20, width: 20 });
    expect(placeOf(barOf("a", -5, 1), window)).toEqual({ left: 0, width: 10 });
    expect(placeOf(barOf("a", 10, 11), window)).toBeNull();
    expect(placeOf(barOf("a", -2, -1), window)).toBeNull();
  });

  test("the axis has whole steps of the zone", () => {
    const indiaMs = 5.5 * HOUR;
    expect(ticksOf({ fromMs: 0.2 * HOUR, toMs: 6 * HOUR }, 9, indiaMs).map((ms) => ms / HOUR)).toEqual([
      0.5, 1.5, 2.5, 3.5, 4.5, 5.5,
    ]);
    expect(ticksOf({ fromMs: 0, toMs: 24 * HOUR }, 9, 0)).toHaveLength(8);
    // None at the end of the window, where its text would have no place.
    expect(ticksOf({ fromMs: 0, toMs: 2 * HOUR }, 9, 0).at(-1)).toBe(1.75 * HOUR);
    expect(ticksOf({ fromMs: 0, toMs: 400 * 24 * HOUR }, 9, 0).length).toBeLessThan(60);
  });
});
