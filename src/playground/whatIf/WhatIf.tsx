import type { OpenProject } from "../app/playground.ts";

interface WhatIfProps {
  readonly project: OpenProject;
}

/** Figures of a run with other weights and sizes. */
export function WhatIf({ project }: WhatIfProps) {
  return <div className="live" data-entry={project.entry} />;
}
