import type { InputError } from "../../base/inputError.ts";
import { useTexts } from "../../dashboard/app/preferences.tsx";
import { dirname, join } from "../../platform/browser/paths.ts";
import { usePlayground, usePlaygroundState } from "../app/hooks.ts";
import type { OpenProject, Place } from "../app/playground.ts";
import { characterOf, isCsv } from "./csvTable.ts";
import { fileText } from "./fileText.ts";

/** The file of an error, by its path in the project; the entry, if the project has no such file. */
export function pathOf({ file }: InputError, { entry, files }: OpenProject): string {
  const path = join(dirname(entry), file);
  return path in files ? path : entry;
}

/** Where an error stands in the project. */
export function placeOf(problem: InputError, project: OpenProject): Place {
  const file = pathOf(problem, project);
  const { line, column } = problem;
  const bytes = project.files[file];
  const isTable = isCsv(file) && bytes !== undefined;
  return { file, line, column: isTable ? characterOf(fileText(bytes).text, problem) : column };
}

/** The message without its place; the file, where it is not the scenario. */
function wordsOf(problem: InputError, project: OpenProject): string {
  const { file, line, column, message } = problem;
  const place = `${file}:${line}:${column}: `;
  const words = message.startsWith(place) ? message.slice(place.length) : message;
  return pathOf(problem, project) === project.entry ? words : `${file}: ${words}`;
}

/** What `vppsim validate` would print, each as a button to its place. */
export function ProblemList() {
  const { t } = useTexts();
  const playground = usePlayground();
  const { problems, project } = usePlaygroundState();
  return (
    <section className="problems" aria-label={t("playground.problems")}>
      <header>
        <b>{t("playground.problems")}</b>
        <span>
          {problems.length === 0 ? t("playground.no_problems") : t("playground.run_waits", { count: problems.length })}
        </span>
      </header>
      {problems.map((problem) => (
        <button
          key={`${problem.file}:${problem.line}:${problem.column} ${problem.message}`}
          type="button"
          data-testid="problem"
          data-file={problem.file}
          data-line={problem.line}
          data-column={problem.column}
          onClick={() => playground.goTo(placeOf(problem, project))}
        >
          <span className="mark" aria-hidden="true">
            !
          </span>
          <span className="muted">
            {problem.line}:{problem.column}
          </span>
          <span>{wordsOf(problem, project)}</span>
        </button>
      ))}
    </section>
  );
}
