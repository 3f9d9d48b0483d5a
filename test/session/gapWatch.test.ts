// Since when the power of a cause is missing: its instant of the limit, 19 kW of an award of 1,900 kW.
import { expect, test } from "vitest";
import type { AwardPiece } from "../../src/accounting/settlement/awardSettlement.ts";
import type { Instruction } from "../../src/engine/vpp/instructions/instruction.ts";
import { GapWatches } from "../../src/live/session/record/gapWatch.ts";

const FACTORY = { stage: "delivery", cause: "load_deviation", site: 0 } as const;
const AWARD = {} as Instruction;
const at = (time: string): number => Date.parse(`2026-05-19T${time}Z`);

type Piece = readonly [from: string, to: string, fromKw: number, toKw?: number];

/** The state of the gap after its pieces. */
function watched(pieces: readonly Piece[], requestedKw = 1_900) {
  const watches = new GapWatches();
  for (const [from, to, fromKw, toKw = fromKw] of pieces) {
    const gaps = fromKw + toKw === 0 ? [] : [{ ...FACTORY, kw: (fromKw + toKw) / 2, fromKw, toKw }];
    const piece = { fromMs: at(from), toMs: at(to), requestedKw, attribution: { pieceGaps: () => gaps } };
    watches.addPiece(AWARD, piece as unknown as AwardPiece);
  }
  const { sinceMs, isReached } = watches.continued(AWARD).since(FACTORY, at("23:59:59"));
  return { since: new Date(sinceMs).toISOString().slice(11, 19), isReached };
}

test("a step to the limit counts from the step, not from the begin of a smaller gap", () => {
  expect(watched([["07:02:47", "07:30:00", 10.5]])).toEqual({ since: "07:02:47", isReached: false });
  const stepped: Piece[] = [
    ["07:02:47", "07:30:00", 10.5],
    ["07:30:00", "07:31:00", 25.9],
  ];
  expect(watched(stepped)).toEqual({ since: "07:30:00", isReached: true });
});

test("exactly the limit counts, and it holds until less than half of it", () => {
  expect(watched([["07:00:00", "07:10:00", 19]])).toEqual({ since: "07:00:00", isReached: true });
  const fallen: Piece[] = [
    ["07:00:00", "07:10:00", 19],
    ["07:10:00", "07:20:00", 9.5],
  ];
  expect(watched(fallen)).toEqual({ since: "07:00:00", isReached: true });
  expect(watched([...fallen, ["07:20:00", "07:30:00", 9.4]]).isReached).toBe(false);
  expect(watched([...fallen, ["07:20:00", "07:30:00", 9.4], ["07:30:00", "07:31:00", 18.9]]).isReached).toBe(false);
});

test("a ramp counts from its begin, also where it is settled in pieces", () => {
  const rising: Piece[] = [
    ["07:00:00", "07:05:00", 2, 12],
    ["07:05:00", "07:10:00", 12, 22],
  ];
  expect(watched(rising)).toEqual({ since: "07:00:00", isReached: true });
  // A step on the way begins another ramp.
  expect(
    watched([
      ["07:00:00", "07:05:00", 2, 12],
      ["07:05:00", "07:10:00", 14, 22],
    ]),
  ).toEqual({ since: "07:05:00", isReached: true });
});

test("a gap that ended begins anew", () => {
  const pieces: Piece[] = [
    ["07:00:00", "07:05:00", 30],
    ["07:05:00", "07:06:00", 0],
    ["07:06:00", "07:10:00", 30],
  ];
  expect(watched(pieces)).toEqual({ since: "07:06:00", isReached: true });
});

test("the limit is at least 1 kW", () => {
  expect(watched([["07:00:00", "07:05:00", 0.9]], 50).isReached).toBe(false);
  expect(watched([["07:00:00", "07:05:00", 1]], 50).isReached).toBe(true);
});
