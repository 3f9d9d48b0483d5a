import { ActionIcon, Group } from "@mantine/core";
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
  return (
    <div className="top">
      <div className="brand">
        <b>{t("app.name")}</b>
        <span>{t("app.station", { role: t(`app.${kind}`), scenario: title })}</span>
      </div>
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
    </div>
  );
}

const UTC = timeFormats("UTC", "en");

function SimulatedTime() {
  const { t } = useTexts();
  const times = useTimes();
  const nowMs = useNowMs();
  return (
    <div className="clock" role="timer" aria-label={t("clock.label")} aria-live="off">
      <time dateTime={times.iso(nowMs)} title={times.iso(nowMs)}>
        {times.clock(nowMs)}
      </time>
      <small>{t("clock.utc", { zone: times.zoneName(nowMs), day: times.day(nowMs), utc: UTC.clock(nowMs) })}</small>
    </div>
  );
}

/** State of the connection by shape and word. */
function ConnectionMark() {
  const { t } = useTexts();
  const state = useConnection();
  const { missed, reconnects } = useTelemetry(useVppName());
  return (
    <span className="connection" role="status" title={t("connection.telemetry", { missed, reconnects })}>
      <i aria-hidden="true" />
      {t(`connection.${state}`)}
    </span>
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
