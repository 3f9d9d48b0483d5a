import { AppShell, Button } from "@mantine/core";
import { useEffect } from "react";
import { useConnection, useStation } from "../data/hooks.ts";
import { AlarmLine } from "../pages/alarms/AlarmLine.tsx";
import { AlarmsProvider } from "../pages/alarms/AlarmsProvider.tsx";
import { StoryOfAddress } from "../pages/alarms/StoryOfAddress.tsx";
import { Banner } from "./Banner.tsx";
import { ErrorBoundary } from "./ErrorBoundary.tsx";
import { PAGE_VIEWS } from "./pageViews.ts";
import { useTexts } from "./preferences.tsx";
import { Rail } from "./Rail.tsx";
import { pageOf, useRoute } from "./route.ts";
import { ShortcutSheet } from "./Shortcuts.tsx";
import { TopBar } from "./TopBar.tsx";
import { useServerWatch } from "./useServerWatch.ts";

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
