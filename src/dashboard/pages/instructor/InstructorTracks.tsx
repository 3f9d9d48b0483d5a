import { useTexts, useTimes } from "../../app/preferences.tsx";
import { useEvents, useNowMs } from "../../data/hooks.ts";
import { msOf } from "../../format/times.ts";
import { Panel } from "../../parts/Panel.tsx";
import { TimeLine } from "../schedules/TimeLine.tsx";
import type { TimeBar, TimeWindow } from "../schedules/timeLine.ts";
import { useMalfunctions } from "./MalfunctionPanel.tsx";
import { useActionText } from "./useActionText.ts";
import { isReturn, useTraineeActions } from "./useTraineeActions.ts";

const MS_PER_MINUTE = 60_000;
/** What the tracks show: behind now and ahead of it. */
const BACK_MS = 60 * MS_PER_MINUTE;
const AHEAD_MS = 45 * MS_PER_MINUTE;

/** Events that an operator notices by himself. */
const NOTICES = new Set(["fault_noticed", "fault_cleared", "status_changed", "redispatched", "refused"]);

/** Malfunctions past and to come, what the trainee noticed, and what the trainee did, over one axis. */
export function InstructorTracks() {
  const { t } = useTexts();
  const times = useTimes();
  const nowMs = useNowMs();
  const minuteMs = Math.floor(nowMs / MS_PER_MINUTE) * MS_PER_MINUTE;
  const window: TimeWindow = { fromMs: minuteMs - BACK_MS, toMs: minuteMs + AHEAD_MS };
  const rows = [
    { name: t("instructor.track.injects"), bars: useInjectBars(window), trackCount: 3 },
    { name: t("instructor.track.notices"), bars: useNoticeBars(window), trackCount: 2 },
    { name: t("instructor.track.trainee"), bars: useActionBars(window), trackCount: 3 },
  ];
  const label = t("instructor.tracks", { from: times.time(window.fromMs), to: times.time(window.toMs) });
  return (
    <Panel title={t("instructor.chart")} note={t("instructor.chart_lead", { at: times.time(nowMs) })}>
      <TimeLine label={label} window={window} nowMs={nowMs} rows={rows} />
      <p className="muted" style={{ fontSize: "0.75rem" }}>
        {t("instructor.track_legend")}
      </p>
    </Panel>
  );
}

function useInjectBars({ toMs }: TimeWindow): readonly TimeBar[] {
  const { t } = useTexts();
  const times = useTimes();
  return useMalfunctions().flatMap(({ origin, id, kind, site, state, startMs, endMs }): TimeBar[] => {
    if (startMs === null || state === "cancelled") return [];
    const label = `${t(`instructor.kind.${kind}`)} ${site}`;
    const until = endMs === null ? t("instructor.open_end") : times.time(endMs);
    const title = `${label}, ${times.time(startMs)}–${until}, ${t(`instructor.state.${state}`)}`;
    const barState = state === "in_force" ? "running" : state === "planned" ? "planned" : "completed";
    return [{ id: `${origin} ${id}`, startMs, endMs: endMs ?? toMs, label, title, state: barState }];
  });
}

/** Length for which the label of an instant takes its track, so that labels do not overlap. */
const LABEL_MS = 45 * MS_PER_MINUTE;

function instantBar(id: string, at: string, label: string): TimeBar {
  const startMs = msOf(at);
  return { id, startMs, endMs: startMs + LABEL_MS, label, title: label, state: "event" };
}

function useNoticeBars({ fromMs }: TimeWindow): readonly TimeBar[] {
  const { t } = useTexts();
  return useEvents()
    .filter(({ kind, at }) => NOTICES.has(kind) && fromMs <= msOf(at))
    .slice(-12)
    .map(({ seq, at, kind, site }) => instantBar(`event ${seq}`, at, site ?? t(`events.kind.${kind}`)));
}

function useActionBars({ fromMs }: TimeWindow): readonly TimeBar[] {
  const textOf = useActionText();
  return useTraineeActions()
    .filter((action) => !action.abandoned && !isReturn(action) && fromMs <= msOf(action.at))
    .slice(-12)
    .map((action) => instantBar(`action ${action.seq}`, action.at, textOf(action).slice(0, 24)));
}
