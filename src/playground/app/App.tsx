import { MantineProvider } from "@mantine/core";
import { useMemo } from "react";
import { LanguageContext, useTexts } from "../../dashboard/app/preferences.tsx";
import { resolveVariables, themeOf } from "../../dashboard/app/theme.ts";
import { ScenarioPane } from "../editor/ScenarioPane.tsx";
import { ResultPane } from "../result/ResultPane.tsx";
import { ExamplesPane } from "./ExamplesPane.tsx";
import { Footer } from "./Footer.tsx";
import { Header } from "./Header.tsx";
import { PlaygroundContext } from "./hooks.ts";
import type { Playground } from "./playground.ts";
import { PreferencesContext, usePreferences } from "./preferences.ts";

interface AppProps {
  readonly playground: Playground;
  /** Whether this browser can do a run. */
  readonly isUsable: boolean;
}

export function App({ playground, isUsable }: AppProps) {
  const preferences = usePreferences();
  const { language, scheme } = preferences;
  const theme = useMemo(() => themeOf(language), [language]);
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={resolveVariables}
      forceColorScheme={scheme}
      deduplicateInlineStyles
    >
      <LanguageContext value={language}>
        <PreferencesContext value={preferences}>
          <PlaygroundContext value={playground}>{isUsable ? <Page /> : <Unsupported />}</PlaygroundContext>
        </PreferencesContext>
      </LanguageContext>
    </MantineProvider>
  );
}

function Page() {
  return (
    <>
      <Header />
      <main className="work" data-testid="drop" id="main">
        <ExamplesPane />
        <ScenarioPane />
        <ResultPane />
      </main>
      <Footer />
    </>
  );
}

function Unsupported() {
  const { t } = useTexts();
  return (
    <main className="unsupported">
      <h1>{t("playground.document")}</h1>
      <p>{t("playground.unsupported")}</p>
    </main>
  );
}
