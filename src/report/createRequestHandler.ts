import type { WorldOptions } from "../simulation/world.ts";
import type { WorldSpec } from "../simulation/worldSpec.ts";

/** Who answers the `request` events of a world; the three APIs are loaded for those who call them. */
export async function createRequestHandler({ events }: WorldSpec): Promise<Pick<WorldOptions, "answer">> {
  if (!events.some(({ kind }) => kind === "request")) return {};
  const { answerEvent } = await import("../endpoints/answerRequest.ts");
  return { answer: answerEvent };
}
