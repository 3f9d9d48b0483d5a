import type { AwardRow } from "../../accounting/settlement/awardRows.ts";
import { sumOf } from "../../base/lists.ts";
import { roundTo } from "../../base/rounding.ts";
import type { EpochMs } from "../../base/time.ts";
import { type CsvRow, readNumberCell, readTimestampCell } from "../tables/readTable.ts";

/** One dispatch of one member. kW have the sign of the request; for FCR alone they are FCR capacities. */
export interface MemberDispatch {
  readonly site: string;
  /** As in dispatch.csv: `dispatched`, `skipped_…` or `failed`. */
  readonly status: string;
  /** `delivery_failed` or an `error_type`. */
  readonly reason: string | null;
  /** From this dispatch on; `null`: none. */
  readonly setpointKw: number | null;
  /** Up to this dispatch; `null`: none. */
  readonly previousSetpointKw: number | null;
  /** Largest possible magnitude of the set-point, at least 0; `null`: not evaluated. */
  readonly capabilityKw: number | null;
  /** FCR capacity of a compound from this dispatch on; `null`: none. */
  readonly fcrCapacityKw: number | null;
}

/** The first dispatch, or a re-dispatch after an evaluation detected that a member went out of or came back in service. */
export interface DispatchRound {
  readonly atMs: EpochMs;
  readonly isFirst: boolean;
  /** First dispatch: all members. Re-dispatch: members with a change. In order of registration. */
  readonly members: readonly MemberDispatch[];
  /** Request minus all set-points; with the sign of the request. */
  readonly uncoveredKw: number;
  /** Uncovered FCR capacity of a compound; `null` for other awards. */
  readonly uncoveredFcrCapacityKw: number | null;
}

/** The dispatches of one award from its rows of dispatch.csv, which are in order of time. */
export function dispatchRounds(award: AwardRow, rows: readonly CsvRow[], file: string): readonly DispatchRound[] {
  const rounds: { readonly atMs: EpochMs; readonly members: MemberDispatch[]; coveredKw: number; fcrKw: number }[] = [];
  const setpointsKw = new Map<string, number>();
  const fcrCapacitiesKw = new Map<string, number>();
  for (const row of rows) {
    const atMs = readTimestampCell(row, file);
    let round = rounds[rounds.length - 1];
    if (round?.atMs !== atMs) rounds.push((round = { atMs, members: [], coveredKw: 0, fcrKw: 0 }));
    const member = memberOf(row, award, setpointsKw.get(row.site) ?? null);
    round.members.push(member);
    if (member.setpointKw === null) setpointsKw.delete(member.site);
    else setpointsKw.set(member.site, member.setpointKw);
    fcrCapacitiesKw.set(member.site, member.fcrCapacityKw ?? 0);
    round.coveredKw = sumOf(setpointsKw.values());
    round.fcrKw = sumOf(fcrCapacitiesKw.values());
  }
  const requestedFcrKw = award.isFcr ? null : (award.fcr?.responseKw ?? null);
  return rounds.map(({ atMs, members, coveredKw, fcrKw }, k) => ({
    atMs,
    isFirst: k === 0,
    members,
    uncoveredKw: roundTo(award.requestedKw - coveredKw, 1),
    uncoveredFcrCapacityKw: requestedFcrKw === null ? null : Math.max(0, roundTo(requestedFcrKw - fcrKw, 1)),
  }));
}

function memberOf(row: CsvRow, { isFcr }: AwardRow, previousSetpointKw: number | null): MemberDispatch {
  const fcrCapacityKw = readNumberCell(row, "fcr_response_kw");
  const deltaKw = readNumberCell(row, "delta_kw");
  const capabilityKw = readNumberCell(row, "capability_kw");
  return {
    site: row.site,
    status: row.dispatch_status,
    reason: row.skip_reason || null,
    setpointKw: isFcr ? (fcrCapacityKw ?? deltaKw) : deltaKw,
    previousSetpointKw,
    capabilityKw: isFcr ? (readNumberCell(row, "fcr_capability_kw") ?? capabilityKw) : capabilityKw,
    fcrCapacityKw: isFcr ? null : fcrCapacityKw,
  };
}

/** Whether the set-point uses the whole capability. Capabilities are rounded down to 0.1 kW. */
export const isAtCapability = ({ setpointKw, capabilityKw }: MemberDispatch): boolean =>
  setpointKw !== null && capabilityKw !== null && capabilityKw - Math.abs(setpointKw) < 0.05;
