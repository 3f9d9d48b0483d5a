import { Badge, Box, Button, Group, Kbd } from "@mantine/core";
import type { AwardBalance, NextStep } from "../../../api/client/sandboxTypes.ts";
import { useTexts, useTimes } from "../../app/preferences.tsx";
import { useQueryState } from "../../app/route.ts";
import { useNowMs, useSession } from "../../data/hooks.ts";
import { formatDuration } from "../../format/durations.ts";
import { isApiId } from "../../format/isApiId.ts";
import { formatKw, formatPct } from "../../format/numbers.ts";
import { msOf } from "../../format/times.ts";
import { AlarmBadge } from "../../parts/AlarmBadge.tsx";
import { causeColour, hatch } from "../../parts/Cause.tsx";
import { Figure } from "../../parts/Figure.tsx";
import { EmptyState, Panel } from "../../parts/Panel.tsx";
import { RedispatchButton } from "../instruct/RedispatchButton.tsx";
import { LabelControl } from "../schedules/LabelControl.tsx";
import { useMissingBadge } from "./useMissingBadge.ts";
import { WhySentence } from "./WhySentence.tsx";

/** The bar shows up to this share of the request, so that over-delivery has a place. */
const SHOWN_SHARE = 1.1;

const pctOf = (share: number): string => `${Math.min(100, Math.max(0, (100 * share) / SHOWN_SHARE)).toFixed(2)}%`;

/** A part of the bar. */
const PART = { component: "i", pos: "absolute", top: 0, h: "100%" } as const;
/** A line across the bar. */
const MARK = { ...PART, top: -3, h: "calc(100% + 6px)" } as const;

/** Delivered power as a share of the request, the missing part by cause, target and limit of the product. */
function AwardBar({ award }: { readonly award: AwardBalance }) {
  const { t } = useTexts();
  const { requested_kw, delivered_kw, band_low_kw, band_high_kw } = award;
  if (requested_kw === 0) return null;
  const share = delivered_kw / requested_kw;
  const limits = [band_low_kw, band_high_kw].flatMap((kw) => (kw === null ? [] : [kw / requested_kw]));
  const limit = limits.length === 0 ? null : Math.min(...limits);
  const pct = formatPct(100 * share);
  const kw = formatKw(Math.abs(requested_kw));
  const label =
    limit === null ? t("award.bar_no_limit", { pct, kw }) : t("award.bar", { pct, kw, limit: formatPct(100 * limit) });
  return (
    <Box flex="1 1 9rem" maw="26rem" role="img" aria-label={label}>
      <Box className="bar-track" pos="relative" h="0.875rem" bg="var(--tint)">
        <Box {...PART} bg="var(--requested)" w={pctOf(share)} />
        <MissingParts award={award} fromShare={Math.max(0, share)} />
        {limit !== null && <Box {...MARK} left={pctOf(limit)} style={{ borderLeft: "1px dashed var(--ink)" }} />}
        <Box {...MARK} left={pctOf(1)} style={{ borderLeft: "2px solid var(--ink)" }} />
      </Box>
      <Group justify="space-between" fz="xs">
        <span>{pct} %</span>
        <span className="muted">{t("award.of", { kw })}</span>
      </Group>
    </Box>
  );
}

/** What is missing, hatched in the colours of its causes, beside what is delivered. */
function MissingParts({ award, fromShare }: { readonly award: AwardBalance; readonly fromShare: number }) {
  const total = Math.abs(award.requested_kw);
  let share = fromShare;
  return award.causes.map(({ stage, cause, site, kw }) => {
    const left = share;
    share += kw / total;
    return (
      <Box
        key={`${stage} ${cause} ${site}`}
        {...PART}
        left={pctOf(left)}
        w={pctOf(kw / total)}
        bd="1px solid currentColor"
        style={{ ...causeColour(cause), background: hatch(5) }}
      />
    );
  });
}

interface AwardPanelProps {
  readonly vpp: string;
  readonly award: AwardBalance;
}

/** The only award in force: four figures, bar with target and limit, why, and what can be done. */
export function AwardPanel({ vpp, award }: AwardPanelProps) {
  const { t } = useTexts();
  const times = useTimes();
  const nowMs = useNowMs();
  const [, openStory] = useQueryState("story", "");
  const { award_id, name, sku, schedule_id, starts_at, ends_at } = award;
  const period = t("award.period", {
    start: times.instant(msOf(starts_at), nowMs),
    end: times.instant(msOf(ends_at), nowMs),
    zone: times.zoneName(nowMs),
    left: formatDuration(Math.max(0, msOf(ends_at) - nowMs) / 1_000, t),
  });
  const actions = (
    <>
      <LabelControl awardId={award_id} name={name} />
      <RedispatchButton vpp={vpp} awardId={award_id} name={name} />
      <Button onClick={() => openStory(award_id)} rightSection={<Kbd size="xs">W</Kbd>}>
        {t("award.why")}
      </Button>
    </>
  );
  return (
    <Panel
      title={t(schedule_id === null ? "award.instruction" : isApiId(award_id) ? "award.schedule" : "award.in_force", {
        award: name,
      })}
      note={
        <>
          {sku !== null && (
            <Badge variant="default" radius="xs" mr="sm">
              {sku.toUpperCase()}
            </Badge>
          )}
          {period}
        </>
      }
      actions={actions}
      height="12rem"
    >
      <Group className="award" align="end" gap="0.5rem 1rem">
        <AwardFigures award={award} />
        <AwardBar award={award} />
      </Group>
      <WhySentence award={award} />
    </Panel>
  );
}

function AwardFigures({ award }: { readonly award: AwardBalance }) {
  const { t } = useTexts();
  const badge = useMissingBadge(award);
  return (
    <Group component="dl" gap="0.25rem 0.75rem">
      <Figure
        miw="10rem"
        label={t(award.sku === "fcr" ? "award.capacity" : "word.requested")}
        value={formatKw(award.requested_kw)}
        unit="kW"
      />
      <Figure miw="10rem" label={t("word.delivered")} value={formatKw(award.delivered_kw)} unit="kW" />
      <Figure
        miw="10rem"
        label={t("word.uncovered")}
        value={formatKw(award.uncovered_kw)}
        unit="kW"
        badge={badge?.of === "uncovered" && <AlarmBadge priority={badge.priority} />}
      />
      <Figure
        miw="10rem"
        label={t("word.not_delivered")}
        value={formatKw(award.not_delivered_kw)}
        unit="kW"
        badge={badge?.of === "not_delivered" && <AlarmBadge priority={badge.priority} />}
      />
    </Group>
  );
}

/** Without an award: what comes next, and how to get there. */
export function NoAwardPanel({ next }: { readonly next: readonly NextStep[] }) {
  const { t } = useTexts();
  const times = useTimes();
  const nowMs = useNowMs();
  const { ends_at } = useSession().scenario;
  const award = next.find(({ what }) => what === "award_start");
  const timeOf = (at: string) => times.instant(msOf(at), nowMs);
  return (
    <Panel title={t("award.none_title")} height="12rem">
      <EmptyState>
        {award === undefined
          ? t(nowMs < msOf(ends_at) ? "award.none_more" : "award.none_more_ended", { time: timeOf(ends_at) })
          : t("award.none_next", {
              award: award.name ?? "",
              kw: formatKw(award.requested_kw ?? 0),
              time: timeOf(award.at),
            })}
      </EmptyState>
    </Panel>
  );
}
