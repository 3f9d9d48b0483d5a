import { Button, Tabs } from "@mantine/core";
import { useMemo, useState } from "react";
import { useTexts } from "../../dashboard/app/preferences.tsx";
import { usePlayground, usePlaygroundState } from "../app/hooks.ts";
import { CodeEditor } from "./CodeEditor.tsx";
import { CsvGrid } from "./CsvGrid.tsx";
import { isCsv, parseCsv } from "./csvTable.ts";
import { EntryChoice } from "./EntryChoice.tsx";
import { fileText } from "./fileText.ts";
import { ProblemList, pathOf, placeOf } from "./ProblemList.tsx";

/** The files of the project, one a tab, and what is wrong with them. */
export function ScenarioPane() {
  const { t } = useTexts();
  const playground = usePlayground();
  const { path } = usePlaygroundState();
  return (
    <section className="scenario" aria-label={t("playground.scenario")}>
      <EntryChoice />
      <Tabs className="files" value={path} onChange={(next) => next !== null && playground.show(next)} unstyled>
        <FileTabs />
        <Tabs.Panel value={path}>
          <FileView />
        </Tabs.Panel>
      </Tabs>
      <ProblemList />
    </section>
  );
}

function FileTabs() {
  const { t } = useTexts();
  const { project, problems } = usePlaygroundState();
  const bad = problems.map((problem) => pathOf(problem, project));
  return (
    <Tabs.List className="tabs" aria-label={t("playground.files")}>
      {Object.entries(project.files).map(([path, bytes]) => {
        const count = bad.filter((each) => each === path).length;
        const { encoding } = fileText(bytes);
        return (
          <Tabs.Tab key={path} value={path} data-testid={`tab-${path}`}>
            {path}
            {encoding !== "UTF-8" && <span className="tag">{encoding}</span>}
            {count > 0 && <span className="mark">{count}</span>}
          </Tabs.Tab>
        );
      })}
    </Tabs.List>
  );
}

/** The shown file: a CSV file as a table, until its text is wanted. */
function FileView() {
  const { t } = useTexts();
  const { project, path, jump, problems } = usePlaygroundState();
  const [asText, setAsText] = useState<ReadonlySet<string>>(new Set());
  const bytes = project.files[path];
  const file = useMemo(() => fileText(bytes ?? new Uint8Array()), [bytes]);
  const rows = useMemo(() => (isCsv(path) ? parseCsv(file.text) : null), [path, file]);
  const isGrid = rows !== null && !asText.has(path) && jump?.file !== path;
  const showText = (): void => setAsText(new Set([...asText, path]));
  const showGrid = (): void => setAsText(new Set([...asText].filter((each) => each !== path)));
  return (
    <div className="file">
      {rows !== null && (
        <header className="line">
          <span className="muted">
            {t(isGrid ? "playground.grid_facts" : "playground.csv_facts", {
              count: Math.max(0, rows.length - 1),
              encoding: file.encoding,
              end: file.lineBreak === "\n" ? "LF" : "CRLF",
            })}
          </span>
          <Button className="end" aria-pressed={isGrid} onClick={showGrid}>
            {t("playground.grid")}
          </Button>
          <Button aria-pressed={!isGrid} onClick={showText}>
            {t("playground.text")}
          </Button>
        </header>
      )}
      {isGrid && (
        <CsvGrid
          key={path}
          path={path}
          rows={rows}
          problems={problems.map((each) => placeOf(each, project)).filter((place) => place.file === path)}
        />
      )}
      <CodeEditor isHidden={isGrid} />
    </div>
  );
}
