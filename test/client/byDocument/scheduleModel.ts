// The overlap rules of the documents, as a list of pieces.

/** A waiting schedule; times in milliseconds. */
export interface Piece {
  readonly id: string;
  readonly sku: string | null;
  readonly amount: number;
  readonly startMs: number;
  readonly endMs: number;
}

export type NewSchedule = Omit<Piece, "id">;

/** VPP API 1.4, overlap resolution: whether two schedules of the same time exclude each other. */
export function excludesInVpp(a: string | null, b: string | null): boolean {
  const isExchange = (sku: string | null) => sku === "exchange-da" || sku === "exchange-ttv";
  return a === b || a === null || b === null || (isExchange(a) && isExchange(b));
}

/** Result of a registration: what remains of the others, and whose id the new schedule keeps. */
export interface Registered {
  readonly rest: readonly Piece[];
  /** Ids of schedules of exactly the new period; empty: the new schedule has an id of its own. */
  readonly inherited: readonly string[];
  /** Ids of schedules of which nothing remains. */
  readonly gone: readonly string[];
}

const MINUTE_MS = 60_000;

/** Of the rear piece of a division into two, whose id the server chooses. */
export const NEW_ID = "?";

/** `null`: a piece below one minute would remain. */
export function register(
  pieces: readonly Piece[],
  added: NewSchedule,
  excludes: (a: string | null, b: string | null) => boolean,
): Registered | null {
  const rest: Piece[] = [];
  const inherited: string[] = [];
  const gone: string[] = [];
  for (const piece of pieces) {
    const overlaps = piece.startMs < added.endMs && added.startMs < piece.endMs;
    if (!overlaps || !excludes(piece.sku, added.sku)) {
      rest.push(piece);
      continue;
    }
    const [frontMs, rearMs] = [added.startMs - piece.startMs, piece.endMs - added.endMs];
    if ([frontMs, rearMs].some((ms) => 0 < ms && ms < MINUTE_MS)) return null;
    if (frontMs === 0 && rearMs === 0) inherited.push(piece.id);
    else if (frontMs <= 0 && rearMs <= 0) gone.push(piece.id);
    if (frontMs > 0) rest.push({ ...piece, endMs: added.startMs });
    if (rearMs > 0) rest.push({ ...piece, id: frontMs > 0 ? NEW_ID : piece.id, startMs: added.endMs });
  }
  return { rest, inherited, gone };
}

/** Without ids, in order of time, product and amount. */
export const shown = (pieces: readonly Omit<Piece, "id">[]): readonly string[] =>
  pieces
    .map(
      ({ sku, amount, startMs, endMs }) =>
        `${new Date(startMs).toISOString()} ${new Date(endMs).toISOString()} ${sku} ${amount}`,
    )
    .sort();
