import { MantineProvider } from "@mantine/core";
import { DatesProvider } from "@mantine/dates";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import type { DashboardConfig } from "../../api/client/sandboxTypes.ts";
import { type Boot, boot, keepToken, stationKind } from "../data/boot.ts";
import { isOtherServer } from "../data/connection.ts";
import { StationContext } from "../data/hooks.ts";
import { LanguageContext, usePreferences, ZoneContext } from "./preferences.tsx";
import { Shell } from "./Shell.tsx";
import { SignIn } from "./SignIn.tsx";
import { StartFailed, StartLoading } from "./Start.tsx";
import { resolveVariables, themeOf } from "./theme.ts";

/** The page: it starts with the session that the server serves, and asks for a token where one is needed. */
export function App() {
  const preferences = usePreferences();
  const { language } = preferences;
  const theme = useMemo(() => themeOf(language), [language]);
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={resolveVariables}
      forceColorScheme={preferences.scheme}
      deduplicateInlineStyles
    >
      <DatesProvider settings={{ locale: language, firstDayOfWeek: language === "ja" ? 0 : 1, weekendDays: [] }}>
        <LanguageContext value={language}>
          <StationPage />
        </LanguageContext>
      </DatesProvider>
    </MantineProvider>
  );
}

function StationPage() {
  const kind = stationKind(location.pathname);
  const [started, setStarted] = useState<Boot | null>(null);
  const firstConfig = useRef<DashboardConfig | null>(null);
  const start = useCallback(async () => {
    const next = await boot(kind);
    if (next.kind === "ready") {
      const { config } = next.station;
      firstConfig.current ??= config;
      // The policy of the document admits the addresses of its first server alone, and its code is of that version.
      if (isOtherServer(firstConfig.current, config)) return location.reload();
    }
    setStarted(next);
  }, [kind]);
  useEffect(() => void start(), [start]);
  const station = started?.kind === "ready" ? started.station : null;
  useEffect(() => {
    station?.start();
    return () => station?.stop();
  }, [station]);
  if (started === null) return <StartLoading />;
  if (started.kind === "failed") return <StartFailed details={started.details} onRetry={start} />;
  if (started.kind === "token_needed") {
    const enter = (token: string) => {
      keepToken(kind, token);
      void start();
    };
    return <SignIn kind={kind} refusal={started.refusal} onToken={enter} />;
  }
  return (
    <StationContext value={started.station}>
      <ZoneContext value={started.station.session.scenario.zone}>
        <Shell onRestart={start} />
      </ZoneContext>
    </StationContext>
  );
}
