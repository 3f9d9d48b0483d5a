import type { WorldOptions } from "../world/world.ts";
import type { WorldSpec } from "../world/worldSpec.ts";

/** Who answers the `request` events of a world; the three APIs are loaded for those who call them. */
export async function answererFor({ events }: WorldSpec): Promise<Pick<WorldOptions, "answer">> {
  if (!events.some(({ kind }) => kind === "request")) return {};
  const { answerEvent } = await import("../requests/answerRequest.ts");
  return { answer: answerEvent };
}
