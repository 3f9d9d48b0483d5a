import { Anchor, Button, Group } from "@mantine/core";
import type { AlarmRecord } from "../../../api/client/sandboxTypes.ts";
import { useTexts, useTimes } from "../../app/preferences.tsx";
import { hrefTo } from "../../app/route.ts";
import { useShortcut } from "../../app/useShortcut.ts";
import { useNowMs, useStation } from "../../data/hooks.ts";
import { formatMinutes } from "../../format/durations.ts";
import { msOf } from "../../format/times.ts";
import { AlarmBadge } from "../../parts/AlarmBadge.tsx";
import { DrillLine } from "../instructor/DrillLine.tsx";
import { mostUrgent, useAcknowledge, useAlarms } from "./useAlarms.ts";

/** The alarm to work on, under the top bar of every page; the instructor sees the drill there. */
export function AlarmLine() {
  const { kind } = useStation();
  return kind === "instructor" ? <DrillLine /> : <TraineeAlarmLine />;
}

function TraineeAlarmLine() {
  const { t } = useTexts();
  const list = useAlarms();
  const alarm = mostUrgent(list);
  const acknowledge = useAcknowledge();
  useShortcut("a", () => alarm !== null && acknowledge(alarm));
  return (
    <Group component="section" wrap="nowrap" h="2.375rem" px="md" bg="var(--raised)" aria-label={t("alarms.line")}>
      {/* Urgent alarms interrupt a screen reader, others wait. */}
      <Group
        className="alarm-line-text"
        flex={1}
        gap="0.625rem"
        wrap="nowrap"
        miw={0}
        aria-live={alarm?.priority === 1 ? "assertive" : "polite"}
        aria-atomic="true"
      >
        {alarm === null ? <span className="muted">{t("alarms.none_new")}</span> : <UrgentAlarm alarm={alarm} />}
      </Group>
      {alarm !== null && (
        <Button size="compact-sm" onClick={() => acknowledge(alarm)}>
          {t("alarms.acknowledge")}
        </Button>
      )}
      <Anchor className="num" miw="20rem" href={hrefTo(["alarms"])} size="sm">
        {t("alarms.counts", list.counts)}
      </Anchor>
    </Group>
  );
}

function UrgentAlarm({ alarm: { priority, text, signs, raised_at } }: { readonly alarm: AlarmRecord }) {
  const { t } = useTexts();
  const times = useTimes();
  const nowMs = useNowMs();
  const raisedMs = msOf(raised_at);
  const minutes = Math.max(0, (nowMs - raisedMs) / 60_000);
  const first = signs.length === 0 ? "" : ` · ${signs[0]}`;
  return (
    <>
      <AlarmBadge priority={priority} />
      <span className="truncate">
        <b>{text}</b>
        {first}
      </span>
      <span className="muted nowrap">
        {times.clock(raisedMs)} ({formatMinutes(minutes, t)})
      </span>
    </>
  );
}
