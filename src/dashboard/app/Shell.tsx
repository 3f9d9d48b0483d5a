import { AppShell, Box, Button } from "@mantine/core";
import { Component, type ComponentType, type ReactNode, useEffect } from "react";
import type { DashboardConfig, SessionView } from "../../api/client/sandboxTypes.ts";
import { SESSION_PATH, useConnection, useSandbox, useStation } from "../data/hooks.ts";
import { SandboxError } from "../data/sandboxCalls.ts";
import { isOtherServer, isOtherSession } from "../data/serverChange.ts";
import { AlarmLine } from "../pages/alarms/AlarmLine.tsx";
import { AlarmsPage } from "../pages/alarms/AlarmsPage.tsx";
import { AlarmsProvider } from "../pages/alarms/AlarmsProvider.tsx";
import { StoryOfAddress } from "../pages/alarms/StoryOfAddress.tsx";
import { InstructPage } from "../pages/instruct/InstructPage.tsx";
import { InstructorPage } from "../pages/instructor/InstructorPage.tsx";
import { NowPage } from "../pages/now/NowPage.tsx";
import { ReportPage } from "../pages/report/ReportPage.tsx";
import { SchedulesPage } from "../pages/schedules/SchedulesPage.tsx";
import { SitesPage } from "../pages/sites/SitesPage.tsx";
import { Refusal } from "../parts/Refusal.tsx";
import { Banner } from "./Banner.tsx";
import { PAGE_ICONS } from "./icons.tsx";
import { useTexts } from "./preferences.tsx";
import { hrefTo, type PageName, pageOf, pagesOf, useRoute } from "./route.ts";
import { ShortcutSheet } from "./Shortcuts.tsx";
import { TopBar } from "./TopBar.tsx";

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
    <AlarmsProvider>
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
      </AppShell>
    </AlarmsProvider>
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
