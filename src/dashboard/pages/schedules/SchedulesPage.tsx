import { ActionIcon, Button, Checkbox, Group, SegmentedControl, Stack } from "@mantine/core";
import { useState } from "react";
import type { VppBalance, VppPower } from "../../../api/client/sandboxTypes.ts";
import { useTexts, useTimes } from "../../app/preferences.tsx";
import { useQueryState } from "../../app/route.ts";
import { useVppName, VppChoice } from "../../app/vppChoice.tsx";
import { balancePath, useNowMs, useResource, useSandbox, useSession, useVppApi } from "../../data/hooks.ts";
import { formatKw } from "../../format/numbers.ts";
import { isoOf, msOf } from "../../format/times.ts";
import { EmptyState, Panel, ResourceView } from "../../parts/Panel.tsx";
import { NewSchedule } from "./NewSchedule.tsx";
import { ScheduleTable } from "./ScheduleTable.tsx";
import { type ScheduleRow, scheduleRows } from "./scheduleRows.ts";
import { TimeLine } from "./TimeLine.tsx";
import type { TimeBar, TimeWindow } from "./timeLine.ts";

const MS_PER_HOUR = 3_600_000;
/** Real ms between two reads of the schedules; a read of the API counts against its rate limit. */
const PERIOD_MS = 15_000;
const WINDOW_HOURS = ["6", "12", "24", "72"] as const;
/** Part of the window that lies before now. */
const PAST_FRACTION = 0.25;

/** The schedules of a VPP: a time line, a table, and a form whose draft is drawn into the time line. */
export function SchedulesPage() {
  const { t } = useTexts();
  const vpp = useVppName();
  const api = useVppApi(vpp);
  const nowMs = useNowMs();
  const { scenario } = useSession();
  const [isCreating, setCreating] = useQueryState("new", "");
  const [draft, setDraft] = useState<TimeBar | null>(null);
  const [showsCompleted, setShowsCompleted] = useState(false);
  const from = isoOf(msOf(scenario.starts_at));
  const awardPath = `/sandbox/vpps/${encodeURIComponent(vpp)}/power?from=${from}&to=${scenario.ends_at}&max_points=2`;
  const { value: power } = useSandbox<VppPower>(awardPath, 4 * PERIOD_MS);
  const { value: balance } = useSandbox<VppBalance>(balancePath(vpp));
  const schedules = useResource(`schedules ${vpp}`, () => api.schedules(), PERIOD_MS);
  return (
    <Stack gap="sm">
      <h1 className="visually-hidden">{t("schedules.title")}</h1>
      <ResourceView resource={schedules}>
        {(value) => {
          const rows = scheduleRows(value.schedules, power?.awards ?? [], balance?.awards ?? [], nowMs);
          const shown = rows.filter(({ state }) => showsCompleted || state !== "completed");
          return (
            <>
              <SchedulesTimeLine rows={rows} draft={draft} />
              <Panel
                title={t("schedules.title")}
                note={t("schedules.legend")}
                actions={
                  <Group gap="sm">
                    <VppChoice />
                    <Checkbox
                      size="xs"
                      label={t("schedules.show_completed")}
                      checked={showsCompleted}
                      onChange={({ currentTarget }) => setShowsCompleted(currentTarget.checked)}
                    />
                    <Button variant="filled" onClick={() => setCreating(isCreating === "" ? "1" : null)}>
                      {t(isCreating === "" ? "schedules.new" : "schedules.close_new")}
                    </Button>
                  </Group>
                }
              >
                {shown.length === 0 ? (
                  <EmptyState>
                    {t("schedules.none")} {t("schedules.none_why")}
                  </EmptyState>
                ) : (
                  <ScheduleTable rows={shown} vpp={vpp} />
                )}
              </Panel>
            </>
          );
        }}
      </ResourceView>
      {isCreating !== "" && <NewSchedule key={vpp} vpp={vpp} onDraft={setDraft} />}
    </Stack>
  );
}

interface SchedulesTimeLineProps {
  readonly rows: readonly ScheduleRow[];
  readonly draft: TimeBar | null;
}

function SchedulesTimeLine({ rows, draft }: SchedulesTimeLineProps) {
  const { t } = useTexts();
  const times = useTimes();
  const vpp = useVppName();
  const nowMs = useNowMs();
  const { hours, setHours, move, window } = useTimeWindow(nowMs);
  const barOf = useBarOf();
  const awards = rows.filter(({ isOwn }) => !isOwn).map(barOf);
  const own = rows.filter(({ isOwn }) => isOwn).map(barOf);
  const label = t("schedules.timeline", {
    vpp,
    from: times.instant(window.fromMs, nowMs),
    to: times.instant(window.toMs, nowMs),
  });
  return (
    <Panel
      title={t("schedules.timeline_title")}
      note={`${times.instant(window.fromMs, nowMs)} – ${times.instant(window.toMs, nowMs)}`}
      actions={
        <Group gap="xs">
          <ActionIcon aria-label={t("schedules.earlier")} onClick={() => move(-1)}>
            ‹
          </ActionIcon>
          <Button onClick={() => move(0)}>{t("schedules.to_now")}</Button>
          <ActionIcon aria-label={t("schedules.later")} onClick={() => move(1)}>
            ›
          </ActionIcon>
          <SegmentedControl
            aria-label={t("schedules.window")}
            data={WINDOW_HOURS.map((value) => ({ value, label: t("schedules.hours", { hours: value }) }))}
            value={hours}
            onChange={setHours}
          />
        </Group>
      }
    >
      <TimeLine
        label={label}
        window={window}
        nowMs={nowMs}
        rows={[
          { name: t("schedules.track.awards"), bars: awards, trackCount: 3 },
          { name: t("schedules.track.own"), bars: own, trackCount: 2 },
          ...(draft === null ? [] : [{ name: t("schedules.draft"), bars: [draft], trackCount: 1 }]),
        ]}
      />
    </Panel>
  );
}

/** The window of the time line, of the address: its length, and how many half lengths it is moved. */
function useTimeWindow(nowMs: number) {
  const [hours, setHours] = useQueryState("hours", "12");
  const [moved, setMoved] = useQueryState("moved", "0");
  const lengthMs = MS_PER_HOUR * Number(hours);
  const shift = Number.isInteger(Number(moved)) ? Number(moved) : 0;
  // Whole quarters of an hour, so that the axis does not creep.
  const originMs = Math.floor(nowMs / 900_000) * 900_000;
  const fromMs = originMs - PAST_FRACTION * lengthMs + (shift * lengthMs) / 2;
  const window: TimeWindow = { fromMs, toMs: fromMs + lengthMs };
  return {
    hours,
    setHours,
    window,
    move: (direction: -1 | 0 | 1) => setMoved(direction === 0 ? null : String(shift + direction)),
  };
}

/** A schedule as a bar with its product and power. */
function useBarOf(): (row: ScheduleRow) => TimeBar {
  const { t } = useTexts();
  const times = useTimes();
  return ({ id, name, sku, powerKw, startMs, endMs, state }) => {
    const product = sku === null ? t("products.none") : sku.toUpperCase();
    const label = `${name ?? product} ${formatKw(powerKw)} kW`;
    const period = `${times.time(startMs)}–${times.time(endMs)}`;
    return {
      id,
      startMs,
      endMs,
      label,
      state,
      title: `${label}, ${product}, ${period}, ${t(`schedules.state.${state}`)}`,
    };
  };
}
