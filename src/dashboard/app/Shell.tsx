import { AppShell } from "@mantine/core";
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
        <button type="button" className="skip" onClick={focusContent}>
          {t("app.skip")}
        </button>
        <AppShell.Header className="head">
          <TopBar />
          <AlarmLine />
        </AppShell.Header>
        <AppShell.Navbar component="nav" className="rail" aria-label={t("nav.label")}>
          <Rail page={page} />
        </AppShell.Navbar>
        <AppShell.Main className="content" id="content" tabIndex={-1}>
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

const focusContent = (): void => document.getElementById("content")?.focus();
