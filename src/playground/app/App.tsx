import { MantineProvider, SegmentedControl } from "@mantine/core";
import { type DragEvent, useMemo, useState } from "react";
import { LanguageContext, useTexts } from "../../dashboard/app/preferences.tsx";
import { resolveVariables, themeOf } from "../../dashboard/app/theme.ts";
import { ScenarioPane } from "../editor/ScenarioPane.tsx";
import { ResultPane } from "../result/ResultPane.tsx";
import { ExamplesPane } from "./ExamplesPane.tsx";
import { Footer } from "./Footer.tsx";
import { droppedFiles } from "./givenFiles.ts";
import { Header } from "./Header.tsx";
import { PlaygroundContext, usePlayground } from "./hooks.ts";
import { COLUMNS, type Column, Panes } from "./Panes.tsx";
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
  const { t } = useTexts();
  const playground = usePlayground();
  const [column, setColumn] = useState<Column>("scenario");
  const [isOver, setOver] = useState(false);
  const drop = async (event: DragEvent): Promise<void> => {
    event.preventDefault();
    setOver(false);
    await playground.take(await droppedFiles(event.dataTransfer));
  };
  return (
    <>
      <Header />
      <SegmentedControl
        className="columns"
        aria-label={t("playground.columns")}
        data={COLUMNS.map((value) => ({ value, label: t(`playground.${value}`) }))}
        value={column}
        onChange={(value) => setColumn(COLUMNS.find((each) => each === value) ?? "scenario")}
      />
      <Panes
        column={column}
        data-testid="drop"
        data-over={isOver ? "" : undefined}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => void drop(event)}
      >
        <ExamplesPane />
        <ScenarioPane />
        <ResultPane />
      </Panes>
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
