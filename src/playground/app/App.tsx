import { MantineProvider, SegmentedControl } from "@mantine/core";
import { useEffect, useEffectEvent, useMemo, useState } from "react";
import { LanguageContext, useTexts } from "../../dashboard/app/preferences.tsx";
import { resolveVariables, themeOf } from "../../dashboard/app/theme.ts";
import { ScenarioPane } from "../editor/ScenarioPane.tsx";
import { ResultPane } from "../result/ResultPane.tsx";
import { ExamplesPane } from "./ExamplesPane.tsx";
import { Footer } from "./Footer.tsx";
import { droppedFiles } from "./givenFiles.ts";
import { Header } from "./Header.tsx";
import { PlaygroundContext, usePlayground, usePlaygroundState } from "./hooks.ts";
import { COLUMNS, type Column, Panes } from "./Panes.tsx";
import type { Playground } from "./playground.ts";
import { PreferencesContext, usePreferences } from "./preferences.ts";

const DRAGS = ["dragover", "dragleave", "drop"] as const;

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
  const [column, setColumn] = useState<Column>("scenario");
  const { result } = usePlaygroundState();
  const isOver = useDrop();
  useEffect(() => {
    if (result !== null) setColumn("result");
  }, [result]);
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
      <Panes column={column} data-testid="drop" data-over={isOver ? "" : undefined}>
        <ExamplesPane />
        <ScenarioPane />
        <ResultPane />
      </Panes>
      <Footer />
    </>
  );
}

/** Takes files that are dropped anywhere, before the editor would insert their texts. @returns whether some are over the page */
function useDrop(): boolean {
  const playground = usePlayground();
  const [isOver, setOver] = useState(false);
  const onDrag = useEffectEvent((event: DragEvent) => {
    const { dataTransfer, type } = event;
    if (dataTransfer === null || !dataTransfer.types.includes("Files")) return;
    event.preventDefault();
    event.stopPropagation();
    // It is null where the pointer leaves the window.
    setOver(type === "dragover" || (type === "dragleave" && event.relatedTarget !== null));
    if (type === "drop") void droppedFiles(dataTransfer).then((files) => playground.take(files));
  });
  useEffect(() => {
    const listener = (event: DragEvent) => onDrag(event);
    for (const type of DRAGS) addEventListener(type, listener, { capture: true });
    return () => {
      for (const type of DRAGS) removeEventListener(type, listener, { capture: true });
    };
  }, []);
  return isOver;
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
