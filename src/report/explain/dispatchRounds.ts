import type { AwardRow } from "../../accounting/runRecord.ts";
import { roundTo } from "../../base/rounding.ts";
import type { EpochMs } from "../../base/time.ts";
import { type CsvRow, readNumberCell } from "../compare/readReport.ts";
import { parseInstantCell } from "./parseAwardRow.ts";

/** What one dispatch meant for one member. kW are signed as the request; for frequency response alone they are widths. */
export interface MemberDispatch {
  readonly site: string;
  /** As in dispatch.csv: `dispatched`, `skipped_…` or `failed`. */
  readonly status: string;
  /** `delivery_failed` or an `error_type`. */
  readonly reason: string | null;
  /** In force from now on; `null` where nothing is. */
  readonly setpointKw: number | null;
  /** In force until now. */
  readonly previousSetpointKw: number | null;
  /** The most that the member could have been told, at least 0; `null` where it was not asked. */
  readonly capabilityKw: number | null;
  /** Width of frequency response in force from now on, of a compound; `null` where the member holds none. */
  readonly fcrCapacityKw: number | null;
}

/** A first dispatch, or one after an evaluation saw a member go or come back. */
export interface DispatchRound {
  readonly atMs: EpochMs;
  readonly isFirst: boolean;
  /** All members at first, then those for whom something changed, in order of registration. */
  readonly members: readonly MemberDispatch[];
  /** Of the request, what nobody was told; signed as the request. */
  readonly uncoveredKw: number;
  /** Of a compound's width, what nobody holds; `null` for other awards. */
  readonly uncoveredFcrCapacityKw: number | null;
}

/** The dispatches of one award from its rows of dispatch.csv, which are in order of time. */
export function dispatchRounds(award: AwardRow, rows: readonly CsvRow[], file: string): readonly DispatchRound[] {
  const rounds: { readonly atMs: EpochMs; readonly members: MemberDispatch[]; coveredKw: number; heldKw: number }[] =
    [];
  const inForce = new Map<string, number>();
  const held = new Map<string, number>();
  for (const row of rows) {
    const atMs = parseInstantCell(row, "at", file);
    let round = rounds[rounds.length - 1];
    if (round?.atMs !== atMs) rounds.push((round = { atMs, members: [], coveredKw: 0, heldKw: 0 }));
    const member = memberOf(row, award.isFcr, inForce.get(row.site) ?? null);
    round.members.push(member);
    if (member.setpointKw === null) inForce.delete(member.site);
    else inForce.set(member.site, member.setpointKw);
    held.set(member.site, member.fcrCapacityKw ?? 0);
    round.coveredKw = sumOf(inForce);
    round.heldKw = sumOf(held);
  }
  const widthKw = award.isFcr ? null : (award.fcr?.responseKw ?? null);
  return rounds.map(({ atMs, members, coveredKw, heldKw }, k) => ({
    atMs,
    isFirst: k === 0,
    members,
    uncoveredKw: roundTo(award.requestedKw - coveredKw, 1),
    uncoveredFcrCapacityKw: widthKw === null ? null : Math.max(0, roundTo(widthKw - heldKw, 1)),
  }));
}

function sumOf(amounts: ReadonlyMap<string, number>): number {
  let sum = 0;
  for (const kw of amounts.values()) sum += kw;
  return sum;
}

function memberOf(row: CsvRow, isFcr: boolean, beforeKw: number | null): MemberDispatch {
  const widthKw = readNumberCell(row, "fcr_response_kw");
  const deltaKw = readNumberCell(row, "delta_kw");
  const capabilityKw = readNumberCell(row, "capability_kw");
  return {
    site: row.site,
    status: row.dispatch_status,
    reason: row.skip_reason || null,
    setpointKw: isFcr ? (widthKw ?? deltaKw) : deltaKw,
    previousSetpointKw: beforeKw,
    capabilityKw: isFcr ? (readNumberCell(row, "fcr_capability_kw") ?? capabilityKw) : capabilityKw,
    fcrCapacityKw: isFcr ? null : widthKw,
  };
}

/** Whether a member was told all that it could give; a capability is cut down to a tenth of a kW. */
export const isAtCapability = ({ setpointKw: toldKw, capabilityKw }: MemberDispatch): boolean =>
  toldKw !== null && capabilityKw !== null && capabilityKw - Math.abs(toldKw) < 0.05;
