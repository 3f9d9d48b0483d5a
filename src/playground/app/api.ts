import type { LinkedProject } from "../../browser/link.ts";
import type { ProjectRun, ProjectRunOptions } from "../../browser/project.ts";
import { VERSION } from "../../version.ts";
import type { OpenProject, Place, Playground } from "./playground.ts";
import { permalink } from "./share.ts";

interface Problem {
  /** Relative to the folder of the entry. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

/** `window.vppsim`: the page for programs. */
interface PlaygroundApi {
  readonly version: string;
  /** Fulfilled when no further request is needed. */
  readonly ready: Promise<void>;
  readonly open: (project: LinkedProject) => Promise<void>;
  readonly project: () => OpenProject;
  /** @throws InputErrors, RunStopped */
  readonly run: (options?: ProjectRunOptions) => Promise<ProjectRun>;
  readonly result: () => ProjectRun | null;
  readonly cancel: () => void;
  readonly problems: () => readonly Problem[];
  /** From 1; the file is a path of the project. */
  readonly cursor: () => Place;
  /** @throws InputErrors for a project that is too large for a link */
  readonly permalink: () => Promise<string>;
}

declare global {
  interface Window {
    vppsim: PlaygroundApi;
  }
}

export function publishApi(playground: Playground, ready: Promise<void>): void {
  const { state } = playground;
  window.vppsim = {
    version: VERSION,
    ready,
    open: (project) => playground.open(project),
    project: () => state.get().project,
    run: (options) => playground.run(options),
    result: () => state.get().result,
    cancel: () => playground.cancel(),
    problems: () => state.get().problems.map(({ file, line, column, message }) => ({ file, line, column, message })),
    cursor: () => playground.cursor,
    permalink: async () => permalink(state.get()),
  };
}
