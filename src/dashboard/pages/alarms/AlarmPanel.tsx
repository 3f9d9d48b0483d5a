import { Anchor, Box, Group, Stack } from "@mantine/core";
import { useTexts, useTimes } from "../../app/preferences.tsx";
import { hrefTo } from "../../app/route.ts";
import { AlarmBadge } from "../../parts/AlarmBadge.tsx";
import { EmptyState, Panel, StateTag } from "../../parts/Panel.tsx";
import { useMessageText } from "../../texts/useMessageText.ts";
import { AcknowledgeButton, AlarmLinks } from "./AlarmActions.tsx";
import { useAlarms } from "./AlarmsProvider.tsx";
import type { Alarm } from "./alarm.ts";

/** Alarms beside the chart; more stand on the page of alarms. */
const SHOWN_MAX = 6;

/** The most urgent alarms, beside the chart. */
export function AlarmPanel() {
  const { t } = useTexts();
  const { alarms, raisedMs } = useAlarms();
  const moreCount = alarms.length - SHOWN_MAX;
  return (
    <Panel title={t("alarms.title")} note={t("alarms.load", { count: raisedMs.length })}>
      {/* Beside the chart: of one height, so that what stands below does not move with each alarm. */}
      <Box h="14rem" style={{ overflowY: "auto" }}>
        {alarms.length === 0 ? (
          <EmptyState>{t("alarms.none")}</EmptyState>
        ) : (
          <ul>
            {alarms.slice(0, SHOWN_MAX).map((alarm) => (
              <AlarmItem key={alarm.id} alarm={alarm} />
            ))}
          </ul>
        )}
        {moreCount > 0 && (
          <Anchor href={hrefTo(["alarms"])} size="sm">
            {t("alarms.more_on_page", { count: moreCount })}
          </Anchor>
        )}
      </Box>
    </Panel>
  );
}

/** One alarm: priority, text, state, signs and links. */
export function AlarmItem({ alarm }: { readonly alarm: Alarm }) {
  const textOf = useMessageText();
  return (
    <Group
      component="li"
      align="start"
      gap="0.625rem"
      wrap="nowrap"
      py="sm"
      style={{ borderTop: "1px solid var(--line)" }}
    >
      <AlarmBadge priority={alarm.priority} />
      <Stack flex={1} gap="0.125rem" miw={0} style={{ overflowWrap: "anywhere" }}>
        <Group align="start" justify="space-between" gap="sm">
          <Box component="span" flex="1 1 8rem" fw={alarm.state === "new" ? 700 : undefined}>
            {textOf(alarm.text)}
          </Box>
          <AcknowledgeButton alarm={alarm} />
        </Group>
        <AlarmTimes alarm={alarm} />
        <AlarmSigns alarm={alarm} />
        <AlarmLinks alarm={alarm} />
      </Stack>
    </Group>
  );
}

function AlarmTimes({ alarm: { state, raisedMs, clearedMs, returns } }: { readonly alarm: Alarm }) {
  const { t } = useTexts();
  const times = useTimes();
  return (
    <Group component="p" gap="0.375rem">
      <StateTag isStrong={state === "new"}>{t(`alarms.state.${state}`)}</StateTag>
      <span className="muted">
        {times.clock(raisedMs)}
        {clearedMs === null ? "" : ` · ${t("alarms.cleared_at", { at: times.clock(clearedMs) })}`}
        {returns === 0 ? "" : ` · ${t("alarms.returned", { count: returns })}`}
      </span>
    </Group>
  );
}

/** Consequences of the same cause, folded up. */
function AlarmSigns({ alarm: { signs } }: { readonly alarm: Alarm }) {
  const { t } = useTexts();
  const textOf = useMessageText();
  if (signs.length === 0) return null;
  return (
    <details>
      <summary>{t("alarms.signs", { count: signs.length })}</summary>
      <Box component="ul" pl="lg">
        {signs.map((sign) => (
          <li key={JSON.stringify(sign)}>{textOf(sign)}</li>
        ))}
      </Box>
    </details>
  );
}
