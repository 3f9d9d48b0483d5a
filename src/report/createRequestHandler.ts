import type { WorldOptions } from "../engine/simulation/world.ts";
import type { WorldSpec } from "../engine/simulation/worldSpec.ts";

/** The handler of the `request` events of a world. The API code is loaded only if the scenario has such events. */
export async function createRequestHandler({ events }: WorldSpec): Promise<Pick<WorldOptions, "answer">> {
  if (!events.some(({ kind }) => kind === "request")) return {};
  const { answerEvent } = await import("../api/endpoints/answerRequest.ts");
  return { answer: answerEvent };
}
