import { MS_PER_MINUTE } from "../../src/base/time.ts";
import type { ScheduleInterval } from "../../src/engine/site/orders/scheduleOverlap.ts";
import { supersedes } from "../../src/engine/site/orders/siteOrder.ts";

type Piece = Omit<ScheduleInterval, "registration">;

/**
 * The short pieces that a new schedule would leave, by the definition: every schedule is compared with every later one. The
 * first in order of registration and time counts; `null` if there is none.
 */
export function findShortPiece(schedules: readonly ScheduleInterval[], added: Piece): [number, number] | null {
  for (const piece of remainingPieces(schedules)) {
    if (!supersedes(added, piece) || piece.endMs <= added.startMs || added.endMs <= piece.startMs) continue;
    const rests: [number, number][] = [
      [piece.startMs, added.startMs],
      [added.endMs, piece.endMs],
    ];
    const short = rests.find(([startMs, endMs]) => startMs < endMs && endMs - startMs < MS_PER_MINUTE);
    if (short !== undefined) return short;
  }
  return null;
}

function remainingPieces(schedules: readonly ScheduleInterval[]): Piece[] {
  let pieces: Piece[] = [];
  for (const later of [...schedules].sort((a, b) => a.registration - b.registration)) {
    const rest: Piece[] = [];
    for (const piece of pieces) {
      if (!supersedes(later, piece) || later.endMs <= piece.startMs || piece.endMs <= later.startMs) rest.push(piece);
      else {
        if (piece.startMs < later.startMs) rest.push({ ...piece, endMs: later.startMs });
        if (later.endMs < piece.endMs) rest.push({ ...piece, startMs: later.endMs });
      }
    }
    pieces = [...rest, later];
  }
  return pieces;
}
