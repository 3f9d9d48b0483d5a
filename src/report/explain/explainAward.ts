import type { AwardState, FcrFigures } from "../../accounting/settlement/awardRows.ts";
import type { Cause } from "../../accounting/settlement/causes.ts";
import { isoUtc } from "../../base/time.ts";
import { awardSentence } from "../awardSentence.ts";
import { createPageLocale, type PageTexts, type Reading, textsIn } from "../html/page/pageLocale.ts";
import { toAscii } from "../terminalText.ts";
import { buildChain, type ChainEntry } from "./buildChain.ts";
import {
  type AwardShares,
  type CauseShare,
  fcrUncoveredShares,
  shortfallShares,
  uncoveredShares,
} from "./causeShares.ts";
import { explainText } from "./explainText.ts";
import { type AwardFacts, readAwardFacts } from "./readAwardFacts.ts";
import { type SessionParts, sessionParts } from "./sessionParts.ts";

/** Output of `vppsim explain --json`. Instants are UTC. */
export interface AwardExplanation {
  readonly award_id: string;
  readonly kind: "award" | "instruction";
  readonly vpp: string;
  readonly sku: string | null;
  readonly start: string;
  readonly end: string;
  /** IANA name of the scenario's timezone; `null` for reports of older versions. */
  readonly timezone: string | null;
  readonly requested_kw: number;
  readonly state: AwardState;
  readonly error_type: string | null;
  readonly summary: string;
  readonly chain: readonly ChainEntryJson[];
  /** At the first dispatch, with the sign of the request; the causes are magnitudes. */
  readonly uncovered_kw: number | null;
  readonly uncovered_causes: readonly CauseJson[];
  readonly shortfall_kwh: number | null;
  readonly shortfall_causes: readonly CauseJson[];
  /** `null` for an award without frequency response. */
  readonly fcr: FcrJson | null;
  /** The award before a session opened and in it; `null`: no session opened while it was in force. */
  readonly session: SessionJson | null;
  /** Missing tables of the report, and how to get them. */
  readonly notes: readonly string[];
}

interface ChainEntryJson {
  readonly at: string;
  readonly kind: string;
  readonly subject: string;
  readonly detail: string;
  readonly text: string;
  /** Uncovered from this instant on; of the other sign than the request: more than requested. `null` if the entry is not a dispatch. */
  readonly uncovered_kw: number | null;
  readonly members: readonly {
    readonly site: string;
    readonly dispatch_status: string;
    readonly skip_reason: string | null;
    readonly before_kw: number | null;
    readonly delta_kw: number | null;
    readonly capability_kw: number | null;
    /** FCR capacity of a compound; for FCR alone `delta_kw` has the FCR capacity. */
    readonly fcr_response_kw: number | null;
  }[];
}

interface FcrJson {
  readonly response_kw: number;
  readonly uncovered_kw: number | null;
  /** For a compound; for FCR alone the award's own `uncovered_causes` apply. */
  readonly uncovered_causes: readonly CauseJson[];
  readonly activated_up_kwh: number | null;
  readonly activated_down_kwh: number | null;
  readonly minutes_at_bound: number | null;
  readonly mean_response_kw: number | null;
}

interface SessionJson {
  readonly opened_at: string;
  readonly shortfall_before_kwh: number;
  readonly shortfall_within_kwh: number;
  readonly causes: readonly {
    readonly cause: Cause;
    readonly shortfall_before_kwh: number;
    readonly shortfall_within_kwh: number;
  }[];
  /** Magnitudes; `null`: the report has no dispatches of the award. */
  readonly uncovered_kw_peak_before: number | null;
  readonly uncovered_kw_peak_within: number | null;
}

interface CauseJson {
  readonly cause: Cause;
  readonly amount: number;
  readonly members: readonly { readonly site: string; readonly kwh: number | null }[];
}

/**
 * Explains the coverage and the shortfall of one award from the files of a report.
 *
 * @param dir  a report with awards.csv or awards.jsonl; without dispatch or events the chain is incomplete
 * @param reading  of the text; by default that of the scenario
 * @throws InputErrors if the folder has no report, no awards, or no such award
 */
export function explainAward(
  dir: string,
  awardId: string,
  reading: Reading = {},
): { readonly json: AwardExplanation; readonly text: string } {
  return explainFacts(readAwardFacts(dir, awardId), reading);
}

/** Explains an award from its facts. */
export function explainFacts(
  facts: AwardFacts,
  reading: Reading = {},
): { readonly json: AwardExplanation; readonly text: string } {
  const locale = createPageLocale(reading.language ?? facts.language, reading.timezone ?? facts.timezone ?? "UTC", {
    startMs: facts.runStartMs,
    endMs: facts.runEndMs,
  });
  // The data is in English.
  const english = locale.language === "en" ? locale : textsIn("en");
  const chain = buildChain(facts, english);
  const shares = {
    shortfall: shortfallShares(facts.award, chain),
    uncovered: uncoveredShares(facts.award, facts.rounds[0]),
    fcrUncovered: fcrUncoveredShares(facts.award),
  };
  const { opening, award, rounds } = facts;
  const session = opening === null ? null : sessionParts(opening, award, shares.shortfall, rounds);
  return {
    json: {
      ...jsonOf(facts, chain, shares, english),
      session: session === null ? null : sessionJson(session),
      notes: facts.notes,
    },
    text: explainText(facts, english === locale ? chain : buildChain(facts, locale), { ...shares, session }, locale),
  };
}

function jsonOf(
  { award, timezone }: AwardFacts,
  chain: readonly ChainEntry[],
  shares: AwardShares,
  texts: PageTexts,
): Omit<AwardExplanation, "session" | "notes"> {
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
    summary: toAscii(awardSentence(award, texts)),
    chain: chain.map(chainJson),
    uncovered_kw: award.uncoveredKw,
    uncovered_causes: shares.uncovered.map(causeJson),
    shortfall_kwh: award.shortfallKwh,
    shortfall_causes: shares.shortfall.map(causeJson),
    fcr: award.fcr === null ? null : fcrJson(award.fcr, shares.fcrUncovered),
  };
}

const chainJson = ({ atMs, kind, subject, detail, text, round }: ChainEntry): ChainEntryJson => ({
  at: isoUtc(atMs),
  kind,
  subject,
  detail,
  text: toAscii(text),
  uncovered_kw: round?.uncoveredKw ?? null,
  members: (round?.members ?? []).map(
    ({ site, status, reason, previousSetpointKw, setpointKw, capabilityKw, fcrCapacityKw }) => ({
      site,
      dispatch_status: status,
      skip_reason: reason,
      before_kw: previousSetpointKw,
      delta_kw: setpointKw,
      capability_kw: capabilityKw,
      fcr_response_kw: fcrCapacityKw,
    }),
  ),
});

const fcrJson = (fcr: FcrFigures, causes: readonly CauseShare[]): FcrJson => ({
  response_kw: fcr.responseKw,
  uncovered_kw: fcr.uncoveredKw,
  uncovered_causes: causes.map(causeJson),
  activated_up_kwh: fcr.activatedUpKwh,
  activated_down_kwh: fcr.activatedDownKwh,
  minutes_at_bound: fcr.minutesAtBound,
  mean_response_kw: fcr.meanResponseKw,
});

const sessionJson = ({ openedMs, shortfallKwh, causes, largestUncoveredKw }: SessionParts): SessionJson => ({
  opened_at: isoUtc(openedMs),
  shortfall_before_kwh: shortfallKwh.before,
  shortfall_within_kwh: shortfallKwh.within,
  causes: causes.map(({ cause, before, within }) => ({
    cause,
    shortfall_before_kwh: before,
    shortfall_within_kwh: within,
  })),
  uncovered_kw_peak_before: largestUncoveredKw?.before ?? null,
  uncovered_kw_peak_within: largestUncoveredKw?.within ?? null,
});

const causeJson = ({ cause, amount, members }: CauseShare): CauseJson => ({
  cause,
  amount,
  members: members.map((member) => ({ site: member.site, kwh: member.amount })),
});
