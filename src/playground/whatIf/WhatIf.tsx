import { useEffect, useSyncExternalStore } from "react";
import { usePlayground, usePlaygroundState } from "../app/hooks.ts";
import type { OpenProject } from "../app/playground.ts";
import { LiveFigures } from "./LiveFigures.tsx";
import { Pins } from "./Pins.tsx";
import { Sliders } from "./Sliders.tsx";

interface WhatIfProps {
  readonly project: OpenProject;
}

/** Real ms from a change of the files to the first run of them. */
const OPEN_AFTER_MS = 150;

/** Figures of whole runs with other weights and sizes. */
export function WhatIf({ project }: WhatIfProps) {
  const playground = usePlayground();
  const { whatIf } = playground;
  const state = useSyncExternalStore(whatIf.state.subscribe, whatIf.state.get);
  const isRunning = usePlaygroundState().run.kind === "running";
  useEffect(() => {
    if (isRunning) return;
    const timer = setTimeout(() => void playground.showWhatIf(project), OPEN_AFTER_MS);
    return () => clearTimeout(timer);
  }, [playground, project, isRunning]);
  return (
    <div className="whatif">
      {state.refusal !== null && (
        <p className="refusal" role="status">
          {state.refusal}
        </p>
      )}
      <div className="live">
        <LiveFigures state={state} />
        <Pins whatIf={whatIf} state={state} />
      </div>
      <Sliders whatIf={whatIf} state={state} />
    </div>
  );
}
