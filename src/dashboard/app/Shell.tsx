import { ActionIcon, AppShell, Box, Button, Group } from "@mantine/core";
import { Component, type ComponentType, type ReactNode, useEffect } from "react";
import type { DashboardConfig, SessionView } from "../../api/client/sandboxTypes.ts";
import { isOtherServer, isOtherSession } from "../data/connection.ts";
import { SESSION_PATH, useConnection, useNowMs, useSandbox, useStation, useTelemetry } from "../data/hooks.ts";
import { SandboxError } from "../data/sandboxCalls.ts";
import { timeFormats } from "../format/times.ts";
import { AlarmLine } from "../pages/alarms/AlarmLine.tsx";
import { AlarmSound } from "../pages/alarms/AlarmSound.tsx";
import { AlarmsPage } from "../pages/alarms/AlarmsPage.tsx";
import { StoryOfAddress } from "../pages/alarms/StoryOfAddress.tsx";
import { InstructPage } from "../pages/instruct/InstructPage.tsx";
import { InstructorPage } from "../pages/instructor/InstructorPage.tsx";
import { NowPage } from "../pages/now/NowPage.tsx";
import { ReportPage } from "../pages/report/ReportPage.tsx";
import { SchedulesPage } from "../pages/schedules/SchedulesPage.tsx";
import { SitesPage } from "../pages/sites/SitesPage.tsx";
import { Refusal } from "../parts/Refusal.tsx";
import { Banner } from "./Banner.tsx";
import { ClockControl } from "./ClockControl.tsx";
import { PAGE_ICONS, THEME_ICON } from "./icons.tsx";
import { LanguageSwitch, THEMES, usePreferences, useTexts, useTimes } from "./preferences.tsx";
import { hrefTo, type PageName, pageOf, pagesOf, useRoute } from "./route.ts";
import { openShortcuts, ShortcutSheet } from "./Shortcuts.tsx";
import { useDrill } from "./useDrill.ts";
import { useVppName } from "./vppChoice.tsx";

/** Station, simulated time, clock control, connection, language and theme. */
function TopBar() {
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

/** The frame of all pages: clock, alarm line and rail stay, the page of the route fills the rest. */
export function Shell({ onRestart }: { readonly onRestart: () => void }) {
  const { session, kind } = useStation();
  const { t } = useTexts();
  const route = useRoute();
  const page = pageOf(route, kind);
  const state = useConnection();
  useServerWatch(onRestart);
  useEffect(() => {
    document.title = t("app.title", { page: t(`nav.${page}`), scenario: session.scenario.name });
  }, [page, session, t]);
  const PageView = PAGE_VIEWS[page];
  return (
    <AppShell
      className="shell"
      data-connection={state}
      header={{ height: "5.625rem" }}
      navbar={{ width: "5rem", breakpoint: 0 }}
      transitionDuration={0}
      padding={0}
    >
      <Button className="skip" pos="fixed" top={8} left={8} style={{ zIndex: 400 }} onClick={focusContent}>
        {t("app.skip")}
      </Button>
      <AppShell.Header bg="var(--surface)">
        <TopBar />
        <AlarmLine />
      </AppShell.Header>
      <AppShell.Navbar
        component="nav"
        bg="var(--surface)"
        py="sm"
        px={1}
        style={{ gap: 2 }}
        aria-label={t("nav.label")}
      >
        <Rail page={page} />
      </AppShell.Navbar>
      <AppShell.Main id="content" tabIndex={-1} {...CONTENT}>
        <ErrorBoundary key={route.path.join("/")} title={t("app.broken")}>
          <PageView />
        </ErrorBoundary>
      </AppShell.Main>
      <Banner />
      <ShortcutSheet />
      <StoryOfAddress />
      <AlarmSound />
    </AppShell>
  );
}

/** The foot stays free for the banner. */
const CONTENT = {
  pt: "calc(var(--app-shell-header-height) + 0.5rem)",
  pb: "3.5rem",
  pl: "calc(var(--app-shell-navbar-width) + 0.5rem)",
  pr: "sm",
  style: { outline: "none" },
};

const focusContent = (): void => document.getElementById("content")?.focus();

const PAGE_VIEWS: Readonly<Record<PageName, ComponentType>> = {
  now: NowPage,
  sites: SitesPage,
  schedules: SchedulesPage,
  instruct: InstructPage,
  alarms: AlarmsPage,
  report: ReportPage,
  instructor: InstructorPage,
};

/** Real ms between two reads. */
const PERIOD_MS = 5_000;

/** Calls `onRestart` once the server has restarted: its token is no longer valid, or session, addresses or version are others. */
function useServerWatch(onRestart: () => void): void {
  const { config, session } = useStation();
  const { value, error } = useSandbox<SessionView>(SESSION_PATH, PERIOD_MS);
  const served = useSandbox<DashboardConfig>("/dashboard/config.json", PERIOD_MS).value;
  const isRefused = error instanceof SandboxError && (error.status === 401 || error.status === 403);
  const isMoved = served !== null && isOtherServer(config, served);
  const isRestarted = isMoved || isRefused || (value !== null && isOtherSession(session, value));
  useEffect(() => {
    if (isRestarted) onRestart();
  }, [isRestarted, onRestart]);
}

/** Links to the pages, always in the same order. */
function Rail({ page }: { readonly page: PageName }) {
  const { t, language } = useTexts();
  const { kind } = useStation();
  return pagesOf(kind).map((name) => (
    <Box
      key={name}
      component="a"
      className="rail-link"
      display="grid"
      py="sm"
      style={{ justifyItems: "center", gap: 2 }}
      fz="xs"
      lts={language === "ja" ? "-0.03em" : undefined}
      href={hrefTo([name])}
      aria-current={name === page ? "page" : undefined}
    >
      {PAGE_ICONS[name]}
      {t(`nav.${name}`)}
    </Box>
  ));
}

interface ErrorBoundaryProps {
  readonly title: string;
  readonly children: ReactNode;
}

/** Shows what failed in its place, so that the rest of the page works on. */
class ErrorBoundary extends Component<ErrorBoundaryProps, { readonly error: Error | null }> {
  override state: { readonly error: Error | null } = { error: null };

  static getDerivedStateFromError(error: Error) {
    return { error };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === null) return this.props.children;
    return (
      <Refusal title={this.props.title} m="md">
        {error.message}
      </Refusal>
    );
  }
}
