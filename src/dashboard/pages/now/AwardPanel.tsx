import { Badge, Button, Group, Kbd } from "@mantine/core";
import type { AwardBalance, NextStep } from "../../../api/client/sandboxTypes.ts";
import { useTexts, useTimes } from "../../app/preferences.tsx";
import { useQueryState } from "../../app/route.ts";
import { useNowMs, useSession } from "../../data/hooks.ts";
import { formatDuration } from "../../format/durations.ts";
import { formatKw } from "../../format/numbers.ts";
import { msOf } from "../../format/times.ts";
import { AlarmBadge } from "../../parts/AlarmBadge.tsx";
import { Figure } from "../../parts/Figure.tsx";
import { EmptyState, Panel } from "../../parts/Panel.tsx";
import { isApiId } from "../../texts/catalogue.ts";
import { AwardBar } from "./AwardBar.tsx";
import { useMissingBadge } from "./useMissingBadge.ts";
import { WhySentence } from "./WhySentence.tsx";

/** The only award in force: four figures, bar with target and limit, and why. */
export function AwardPanel({ award }: { readonly award: AwardBalance }) {
  const { t } = useTexts();
  const times = useTimes();
  const nowMs = useNowMs();
  const [, openStory] = useQueryState("story", "");
  const { award_id, sku, schedule_id, starts_at, ends_at } = award;
  const period = t("award.period", {
    start: times.instant(msOf(starts_at), nowMs),
    end: times.instant(msOf(ends_at), nowMs),
    zone: times.zoneName(nowMs),
    left: formatDuration(Math.max(0, msOf(ends_at) - nowMs) / 1_000, t),
  });
  const why = (
    <Button onClick={() => openStory(award_id)} rightSection={<Kbd size="xs">W</Kbd>}>
      {t("award.why")}
    </Button>
  );
  return (
    <Panel
      title={t(schedule_id === null ? "award.instruction" : isApiId(award_id) ? "award.schedule" : "award.in_force", {
        award: award_id,
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
      actions={why}
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
              award: award.award_id ?? "",
              kw: formatKw(award.requested_kw ?? 0),
              time: timeOf(award.at),
            })}
      </EmptyState>
    </Panel>
  );
}
