import { isoUtc } from "../../base/time.ts";
import type { Cause } from "../../record/causes.ts";
import type { AwardState } from "../../record/runRecord.ts";
import { awardSentence } from "../sentences.ts";
import { type AwardFacts, readAwardFacts } from "./awardFacts.ts";
import { type CauseShare, shortfallShares, uncoveredShares } from "./causeShares.ts";
import { type ChainEntry, chainOf } from "./chain.ts";
import { explainText } from "./explainText.ts";
import { asciiText } from "./wrap.ts";

/** Why an award was covered as far as it was: `vppsim explain --json` prints this. Instants are UTC. */
export interface AwardExplanation {
  readonly award_id: string;
  readonly kind: "award" | "instruction";
  readonly vpp: string;
  readonly sku: string | null;
  readonly start: string;
  readonly end: string;
  /** IANA name of the scenario's timezone; `null` in reports that do not tell. */
  readonly timezone: string | null;
  readonly requested_kw: number;
  readonly state: AwardState;
  readonly error_type: string | null;
  readonly summary: string;
  readonly chain: readonly ChainJson[];
  /** At the first dispatch, signed as the request; its causes are magnitudes. */
  readonly uncovered_kw: number | null;
  readonly uncovered_causes: readonly CauseJson[];
  readonly shortfall_kwh: number | null;
  readonly shortfall_causes: readonly CauseJson[];
  /** What the report lacks and how to get it. */
  readonly notes: readonly string[];
}

export interface ChainJson {
  readonly at: string;
  readonly kind: string;
  readonly subject: string;
  readonly detail: string;
  readonly text: string;
  /** Left uncovered from here on; `null` where nothing was dispatched. */
  readonly uncovered_kw: number | null;
  readonly members: readonly {
    readonly site: string;
    readonly dispatch_status: string;
    readonly skip_reason: string | null;
    readonly before_kw: number | null;
    readonly delta_kw: number | null;
    readonly capability_kw: number | null;
  }[];
}

export interface CauseJson {
  readonly cause: Cause;
  readonly amount: number;
  readonly members: readonly { readonly site: string; readonly kwh: number | null }[];
}

/**
 * Tells the story of one award from the files of a report.
 *
 * @param dir  a report with awards.csv or awards.jsonl; dispatch and events make the story whole
 * @throws InputErrors when the folder holds no report, no awards, or no such award
 */
export function explainAward(dir: string, awardId: string): { readonly json: AwardExplanation; readonly text: string } {
  const facts = readAwardFacts(dir, awardId);
  const chain = chainOf(facts);
  const shortfall = shortfallShares(facts.award, chain);
  const uncovered = uncoveredShares(facts.award, facts.rounds[0]);
  return {
    json: jsonOf(facts, chain, shortfall, uncovered),
    text: explainText(facts, chain, shortfall, uncovered),
  };
}

function jsonOf(
  { award, timezone, notes }: AwardFacts,
  chain: readonly ChainEntry[],
  shortfall: readonly CauseShare[],
  uncovered: readonly CauseShare[],
): AwardExplanation {
  return {
    award_id: award.awardId,
    kind: award.kind,
    vpp: award.vpp,
    sku: award.sku,
    start: isoUtc(award.startMs),
    end: isoUtc(award.endMs),
    timezone,
    requested_kw: award.requestedKw,
    state: award.state,
    error_type: award.errorType,
    summary: asciiText(awardSentence(award)),
    chain: chain.map(chainJson),
    uncovered_kw: award.uncoveredKw,
    uncovered_causes: uncovered.map(causeJson),
    shortfall_kwh: award.shortfallKwh,
    shortfall_causes: shortfall.map(causeJson),
    notes,
  };
}

const chainJson = ({ atMs, kind, subject, detail, text, round }: ChainEntry): ChainJson => ({
  at: isoUtc(atMs),
  kind,
  subject,
  detail,
  text: asciiText(text),
  uncovered_kw: round?.uncoveredKw ?? null,
  members: (round?.members ?? []).map(({ site, status, reason, beforeKw, toldKw, capabilityKw }) => ({
    site,
    dispatch_status: status,
    skip_reason: reason,
    before_kw: beforeKw,
    delta_kw: toldKw,
    capability_kw: capabilityKw,
  })),
});

const causeJson = ({ cause, amount, members }: CauseShare): CauseJson => ({
  cause,
  amount,
  members: members.map((member) => ({ site: member.site, kwh: member.amount })),
});
