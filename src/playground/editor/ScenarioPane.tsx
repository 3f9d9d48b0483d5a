import { Tabs } from "@mantine/core";
import { useTexts } from "../../dashboard/app/preferences.tsx";
import { usePlayground, usePlaygroundState } from "../app/hooks.ts";
import { CodeEditor } from "./CodeEditor.tsx";
import { ProblemList } from "./ProblemList.tsx";

/** The files of the project, one a tab, and what is wrong with them. */
export function ScenarioPane() {
  const { t } = useTexts();
  const playground = usePlayground();
  const { project, path } = usePlaygroundState();
  return (
    <section aria-label={t("playground.scenario")}>
      <Tabs className="files" value={path} onChange={(next) => next !== null && playground.show(next)} unstyled>
        <Tabs.List className="tabs" aria-label={t("playground.files")}>
          {Object.keys(project.files).map((each) => (
            <Tabs.Tab key={each} value={each} data-testid={`tab-${each}`}>
              {each}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value={path}>
          <CodeEditor />
        </Tabs.Panel>
      </Tabs>
      <ProblemList />
    </section>
  );
}
