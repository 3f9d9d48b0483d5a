import type { AwardRow } from "../../accounting/settlement/awardRows.ts";
import { CAUSES, type Cause } from "../../accounting/settlement/causes.ts";
import { causesBySize } from "../awardSentence.ts";
import type { ChainEntry } from "./buildChain.ts";
import { type DispatchRound, isAtCapability, type MemberDispatch } from "./dispatchRounds.ts";
import { isLimitingBound } from "./eventDescriber.ts";

/** One cause of a shortfall or of uncovered power, with the members affected most. */
export interface CauseShare {
  readonly cause: Cause;
  /** kWh, or kW at the start; the causes of one award add up to its printed total. */
  readonly amount: number;
  /** Largest first, as far as the report names them. `amount` in kWh; `null`: not in the report. */
  readonly members: readonly { readonly site: string; readonly amount: number | null }[];
}

/** Shortfall and uncovered power of one award, by cause. */
export type AwardShares = Readonly<Record<"shortfall" | "uncovered" | "fcrUncovered", readonly CauseShare[]>>;

/** Causes of the shortfall in kWh, largest first. */
export function shortfallShares(award: AwardRow, chain: readonly ChainEntry[]): readonly CauseShare[] {
  const affected = chain.flatMap((entry) => affectedMembers(entry, award));
  return causesBySize(award.shortfallByCauseKwh).map(({ cause, amount }) => {
    const contributors = award.topContributors.filter((member) => member.cause === cause);
    const others = new Set(affected.filter((member) => member.cause === cause).map(({ site }) => site));
    for (const { site } of contributors) others.delete(site);
    const unnamedKwh = contributors.reduce((rest, { kwh }) => rest - kwh, amount);
    // If the contributors account for the whole amount, other sites out of service account for nothing.
    if (unnamedKwh < ROUNDING_KWH) others.clear();
    return {
      cause,
      amount,
      members: [
        ...contributors.map(({ site, kwh }) => ({ site, amount: kwh })),
        ...[...others].map((site) => ({ site, amount: null })),
      ],
    };
  });
}

/** The printed amounts of a cause and of its members, at most three, are rounded to 0.001 kWh each. */
const ROUNDING_KWH = 0.0025;

interface AffectedMember {
  readonly site: string;
  readonly cause: Cause;
}

/** Members that a chain entry shows with a cause of shortfall. */
function affectedMembers({ kind, subject, detail, round }: ChainEntry, award: AwardRow): readonly AffectedMember[] {
  if (kind === "outage_start") return [{ site: subject, cause: "out_of_service" }];
  if (kind === "soc_bound") return isLimitingBound(award, detail) ? [{ site: subject, cause: "energy_limit" }] : [];
  if (kind === "output_control") return detail === "lifted" ? [] : [{ site: subject, cause: "output_control" }];
  return (round?.members ?? []).flatMap((member) => {
    const cause = causeOfAbsence(member);
    return cause === null ? [] : [{ site: member.site, cause }];
  });
}

/** Causes of the kW that the first dispatch left uncovered, largest first. */
export function uncoveredShares(award: AwardRow, first: DispatchRound | undefined): readonly CauseShare[] {
  const shares = causesBySize(award.uncoveredByCauseKw);
  // dispatch.csv shows members at their capability without the cause, so with two such causes the members are ambiguous.
  const limitingCauseCount = shares.filter(({ cause }) => LIMITING_CAUSES.has(cause)).length;
  return shares.map(({ cause, amount }) => ({
    cause,
    amount,
    members: (first?.members ?? [])
      .filter((member) =>
        LIMITING_CAUSES.has(cause)
          ? limitingCauseCount === 1 && isAtCapability(member)
          : causeOfAbsence(member) === cause,
      )
      .map(({ site }) => ({ site, amount: null })),
  }));
}

/** Causes that reduce a share at dispatch. */
const LIMITING_CAUSES: ReadonlySet<Cause> = new Set<Cause>([
  "power_limit",
  "energy_limit",
  "weather",
  "output_control",
  "other_award",
]);

/** Causes of a compound's uncovered FCR capacity at the first dispatch, largest first; the table names no members. */
export const fcrUncoveredShares = ({ isFcr, fcr }: AwardRow): readonly CauseShare[] =>
  isFcr || fcr === null ? [] : causesBySize(fcr.uncoveredByCauseKw).map((share) => ({ ...share, members: [] }));

function causeOfAbsence({ status, reason }: MemberDispatch): Cause | null {
  if (status === "failed") return "delivery_failed";
  if (status === "skipped_incompatible") return reason === null ? "incompatible" : "refused";
  return CAUSES.find((cause) => status === `skipped_${cause}`) ?? null;
}
