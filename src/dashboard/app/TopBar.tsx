import { ActionIcon, Box, Group } from "@mantine/core";
import { useConnection, useNowMs, useStation, useTelemetry } from "../data/hooks.ts";
import { timeFormats } from "../format/times.ts";
import { ClockControl } from "./ClockControl.tsx";
import { THEME_ICON } from "./icons.tsx";
import { LanguageSwitch } from "./LanguageSwitch.tsx";
import { THEMES, usePreferences, useTexts, useTimes } from "./preferences.tsx";
import { openShortcuts } from "./Shortcuts.tsx";
import { useDrill } from "./useDrill.ts";
import { useVppName } from "./vppChoice.tsx";

/** Station, simulated time, clock control, connection, language and theme. */
export function TopBar() {
  const { kind, session } = useStation();
  const { t } = useTexts();
  const title = useDrill()?.title ?? session.scenario.name;
  const isLive = ["running", "connecting"].includes(useConnection());
  const style = { borderBottom: "1px solid var(--line)" };
  return (
    <Group wrap="nowrap" h="3.25rem" px="md" bg={isLive ? undefined : "var(--stale)"} style={style}>
      <Box lh={1.25} miw={0}>
        <b>{t("app.name")}</b>
        <Box className="truncate" maw="13rem" fz="xs" c="dimmed">
          {t("app.station", { role: t(`app.${kind}`), scenario: title })}
        </Box>
      </Box>
      <SimulatedTime />
      <ClockControl />
      <Group gap="sm" ml="auto" wrap="nowrap">
        <ConnectionMark />
        <LanguageSwitch />
        <ThemeSwitch />
        <ActionIcon aria-label={t("shortcuts.open")} onClick={openShortcuts}>
          ?
        </ActionIcon>
      </Group>
    </Group>
  );
}

const UTC = timeFormats("UTC", "en");

function SimulatedTime() {
  const { t } = useTexts();
  const times = useTimes();
  const nowMs = useNowMs();
  return (
    <Group
      className="clock nowrap"
      align="baseline"
      gap="sm"
      wrap="nowrap"
      pl="md"
      style={{ borderLeft: "1px solid var(--line)" }}
      role="timer"
      aria-label={t("clock.label")}
      aria-live="off"
    >
      <Box component="time" fz="xl" fw={600} dateTime={times.iso(nowMs)} title={times.iso(nowMs)}>
        {times.clock(nowMs)}
      </Box>
      <Box component="small" fz="xs" c="dimmed">
        {t("clock.utc", { zone: times.zoneName(nowMs), day: times.day(nowMs), utc: UTC.clock(nowMs) })}
      </Box>
    </Group>
  );
}

/** State of the connection by shape and word. */
function ConnectionMark() {
  const { t } = useTexts();
  const state = useConnection();
  const { missed, reconnects } = useTelemetry(useVppName());
  return (
    <Group
      component="span"
      className="connection nowrap"
      gap={6}
      wrap="nowrap"
      fw={state === "lagging" || state === "disconnected" ? 700 : undefined}
      role="status"
      title={t("connection.telemetry", { missed, reconnects })}
    >
      <Box
        component="i"
        w={9}
        h={9}
        bd="2px solid var(--ink)"
        bdrs={state === "frozen" ? 0 : "50%"}
        bg={state === "frozen" || state === "running" ? "var(--ink)" : "transparent"}
        aria-hidden="true"
      />
      {t(`connection.${state}`)}
    </Group>
  );
}

/** System, light, dark, in turn. */
function ThemeSwitch() {
  const { t } = useTexts();
  const { theme, setTheme } = usePreferences();
  const label = t("theme.label", { theme: t(`theme.${theme}`) });
  return (
    <ActionIcon
      aria-label={label}
      title={label}
      onClick={() => setTheme(THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length])}
    >
      {THEME_ICON}
    </ActionIcon>
  );
}
