import { createContext, useContext, useSyncExternalStore } from "react";
import { Playground, type PlaygroundState } from "./playground.ts";

export const PlaygroundContext = createContext<Playground>(new Playground());

export const usePlayground = (): Playground => useContext(PlaygroundContext);

export function usePlaygroundState(): PlaygroundState {
  const { state } = usePlayground();
  return useSyncExternalStore(state.subscribe, state.get);
}

/** Whether a run may begin. */
export const canRun = ({ run, problems }: PlaygroundState): boolean =>
  run.kind !== "loading" && run.kind !== "running" && problems.length === 0;
