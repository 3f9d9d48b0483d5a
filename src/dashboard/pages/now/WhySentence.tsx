import { Box } from "@mantine/core";
import { Fragment, type ReactNode } from "react";
import type { AwardBalance, CausePower } from "../../../api/client/sandboxTypes.ts";
import { useTexts, useTimes } from "../../app/preferences.tsx";
import { hrefTo } from "../../app/route.ts";
import { useNowMs } from "../../data/hooks.ts";
import { formatKw, shownParts } from "../../format/numbers.ts";
import { msOf } from "../../format/times.ts";
import { CauseSwatch, causeText } from "../../parts/Cause.tsx";

/** It takes the rest of the card, and scrolls inside. */
const WHY = { component: "p", className: "why", flex: 1, mih: 0, mt: "sm", style: { overflowY: "auto" } } as const;

/** Why power is missing, as a sentence: site, cause, kW, and since when. */
export function WhySentence({ award }: { readonly award: AwardBalance }) {
  const { t } = useTexts();
  const times = useTimes();
  const { uncovered_kw, not_delivered_kw, over_kw, uncovered_since, causes } = award;
  const of = (stage: CausePower["stage"], totalKw: number) =>
    shownParts(
      causes.filter((cause) => cause.stage === stage),
      "kw",
      totalKw,
    );
  const sentences: ReactNode[] = [];
  if (uncovered_kw > 0) {
    const values = {
      kw: formatKw(uncovered_kw),
      time: uncovered_since === null ? "" : times.clock(msOf(uncovered_since)),
    };
    const intro = t(uncovered_since === null ? "award.uncovered" : "award.uncovered_since", values);
    sentences.push(<CauseSentence key="allocation" intro={intro} causes={of("allocation", uncovered_kw)} />);
  }
  if (not_delivered_kw > 0) {
    const intro = t("award.not_delivered", { kw: formatKw(not_delivered_kw) });
    sentences.push(<CauseSentence key="delivery" intro={intro} causes={of("delivery", not_delivered_kw)} />);
  }
  if (over_kw > 0) sentences.push(<span key="over">{t("award.over", { kw: formatKw(over_kw) })} </span>);
  if (sentences.length === 0) return <Box {...WHY}>{t("award.all_well")}</Box>;
  // Other causes make another sentence: the words of the one before are not moved about.
  const named = causes.map(({ stage, cause, site }) => `${stage} ${cause} ${site}`);
  return (
    <Box key={`${over_kw > 0} ${named}`} {...WHY}>
      <b>{t("award.why_intro")}</b>
      {sentences}
    </Box>
  );
}

/** Causes that a sentence names, the largest; the others are summed up, so that the sentence keeps its lines. */
const NAMED_MAX = 3;

interface CauseSentenceProps {
  readonly intro: string;
  readonly causes: readonly CausePower[];
}

function CauseSentence({ intro, causes }: CauseSentenceProps) {
  const { t } = useTexts();
  const ordered = [...causes].sort((a, b) => b.kw - a.kw);
  const rest = ordered.slice(NAMED_MAX);
  const restKw = rest.reduce((sum, { kw }) => sum + kw, 0);
  return (
    <>
      {intro}
      {ordered.slice(0, NAMED_MAX).map((cause, k) => (
        <Fragment key={`${cause.cause} ${cause.site}`}>
          {k > 0 && t("list.separator")}
          <CauseClause cause={cause} />
        </Fragment>
      ))}
      {rest.length > 0 && t("award.cause_others", { count: rest.length, kw: formatKw(restKw) })}
      {t("sentence.end")}
    </>
  );
}

function CauseClause({ cause: { cause, site, kw, since } }: { readonly cause: CausePower }) {
  const { t, rich } = useTexts();
  const times = useTimes();
  const nowMs = useNowMs();
  const values = {
    kw: formatKw(kw),
    cause: (
      <>
        <CauseSwatch cause={cause} /> {causeText(cause, t)}
      </>
    ),
  };
  if (site === null) return rich("award.cause_alone", values);
  const link = <a href={hrefTo(["sites", site])}>{site}</a>;
  if (since === null) return rich("award.cause_at", { ...values, site: link });
  return rich("award.cause_since", { ...values, site: link, time: times.instant(msOf(since), nowMs) });
}
