import type { AwardRow } from "../../accounting/runRecord.ts";
import { CAUSES, type Cause } from "../../accounting/settlement/causes.ts";
import { causesBySize } from "../awardSentence.ts";
import type { ChainEntry } from "./buildChain.ts";
import { type DispatchRound, isAtCapability, type MemberDispatch } from "./dispatchRounds.ts";
import { isLimitingBound } from "./eventDescriber.ts";

/** One cause of what was lacking, and the members that it concerned most. */
export interface CauseShare {
  readonly cause: Cause;
  /** kWh, or kW at the start; the causes of one award add up to its printed total. */
  readonly amount: number;
  /** Largest first, as far as the report names them. `amount` in kWh; `null` where the report does not tell it. */
  readonly members: readonly { readonly site: string; readonly amount: number | null }[];
}

/** Causes of the kWh that were short, largest first. */
export function shortfallShares(award: AwardRow, chain: readonly ChainEntry[]): readonly CauseShare[] {
  const concerned = chain.flatMap((entry) => affectedMembers(entry, award));
  return causesBySize(award.shortfallByCauseKwh).map(({ cause, amount }) => {
    const named = award.topContributors.filter((member) => member.cause === cause);
    const others = new Set(concerned.filter((member) => member.cause === cause).map(({ site }) => site));
    for (const { site } of named) others.delete(site);
    return {
      cause,
      amount,
      members: [
        ...named.map(({ site, kwh }) => ({ site, amount: kwh })),
        ...[...others].map((site) => ({ site, amount: null })),
      ],
    };
  });
}

interface AffectedMember {
  readonly site: string;
  readonly cause: Cause;
}

/** Members that the chain shows to have lacked something, and by which cause. */
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
  // dispatch.csv tells who could give no more, not why: with two such causes it is not said who had which.
  const cutCauses = shares.filter(({ cause }) => LIMITING_CAUSES.has(cause)).length;
  return shares.map(({ cause, amount }) => ({
    cause,
    amount,
    members: (first?.members ?? [])
      .filter((member) =>
        LIMITING_CAUSES.has(cause) ? cutCauses === 1 && isAtCapability(member) : causeOfAbsence(member) === cause,
      )
      .map(({ site }) => ({ site, amount: null })),
  }));
}

/** Causes by which a share is cut at the dispatch. */
const LIMITING_CAUSES: ReadonlySet<Cause> = new Set<Cause>([
  "power_limit",
  "energy_limit",
  "weather",
  "output_control",
  "other_award",
]);

/** Causes of a compound's width that nobody held at the first dispatch, largest first; of whom the table does not tell. */
export const fcrUncoveredShares = ({ isFcr, fcr }: AwardRow): readonly CauseShare[] =>
  isFcr || fcr === null ? [] : causesBySize(fcr.uncoveredByCauseKw).map((share) => ({ ...share, members: [] }));

function causeOfAbsence({ status, reason }: MemberDispatch): Cause | null {
  if (status === "failed") return "delivery_failed";
  if (status === "skipped_incompatible") return reason === null ? "incompatible" : "refused";
  return CAUSES.find((cause) => status === `skipped_${cause}`) ?? null;
}
