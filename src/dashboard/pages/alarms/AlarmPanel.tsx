import { Anchor, Box, Group, Stack } from "@mantine/core";
import type { AlarmRecord } from "../../../api/client/sandboxTypes.ts";
import { useTexts, useTimes } from "../../app/preferences.tsx";
import { hrefTo } from "../../app/route.ts";
import { msOf } from "../../format/times.ts";
import { AlarmBadge } from "../../parts/AlarmBadge.tsx";
import { EmptyState, Panel, StateTag } from "../../parts/Panel.tsx";
import { AcknowledgeButton, AlarmLinks } from "./AlarmActions.tsx";
import { AlarmHelp } from "./AlarmHelp.tsx";
import { ShelveControl } from "./ShelveControl.tsx";
import { useAlarms } from "./useAlarms.ts";

/** Alarms beside the chart; more stand on the page of alarms. */
const SHOWN_MAX = 6;

/** The most urgent alarms, beside the chart. */
export function AlarmPanel() {
  const { t } = useTexts();
  const { alarms, raised_last_10_min: count } = useAlarms();
  const moreCount = alarms.length - SHOWN_MAX;
  return (
    <Panel title={t("alarms.title")} note={t("alarms.load", { count })}>
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
export function AlarmItem({ alarm }: { readonly alarm: AlarmRecord }) {
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
            {alarm.text}
          </Box>
          <Group gap="xs">
            <AcknowledgeButton alarm={alarm} />
            <ShelveControl alarm={alarm} />
          </Group>
        </Group>
        <AlarmTimes alarm={alarm} />
        <AlarmSigns alarm={alarm} />
        <AlarmHelp alarm={alarm} />
        <AlarmLinks alarm={alarm} />
      </Stack>
    </Group>
  );
}

function AlarmTimes({ alarm }: { readonly alarm: AlarmRecord }) {
  const { t } = useTexts();
  const times = useTimes();
  const { state, raised_at, acknowledged_by, acknowledged_name, shelved_until, cleared_at, count } = alarm;
  const clock = (at: string): string => times.clock(msOf(at));
  const by = acknowledged_by === null ? null : (acknowledged_name ?? t(`app.${acknowledged_by}`));
  const facts = [
    clock(raised_at),
    ...(by === null ? [] : [t("alarms.acknowledged_by", { by })]),
    ...(shelved_until === null ? [] : [t("alarms.shelved_until", { at: clock(shelved_until) })]),
    ...(cleared_at === null ? [] : [t("alarms.cleared_at", { at: clock(cleared_at) })]),
    ...(count === 1 ? [] : [t("alarms.returned", { count: count - 1 })]),
  ];
  return (
    <Group component="p" gap="0.375rem">
      <StateTag isStrong={state === "new"}>{t(`alarms.state.${state}`)}</StateTag>
      <span className="muted">{facts.join(" · ")}</span>
    </Group>
  );
}

/** Consequences of the same cause, folded up. */
function AlarmSigns({ alarm: { signs } }: { readonly alarm: AlarmRecord }) {
  const { t } = useTexts();
  if (signs.length === 0) return null;
  return (
    <details>
      <summary>{t("alarms.signs", { count: signs.length })}</summary>
      <Box component="ul" pl="lg">
        {signs.map((sign) => (
          <li key={sign}>{sign}</li>
        ))}
      </Box>
    </details>
  );
}
