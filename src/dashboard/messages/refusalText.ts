import type { SetpointRefusal } from "../../api/client/sandboxTypes.ts";
import { knownKey } from "../../texts/catalogue.ts";
import type { Texts } from "../app/preferences.tsx";

/** Why a set-point took no effect, in words; a reason that the catalogue does not have, as the server says it. */
export function refusalText({ cause, text }: SetpointRefusal, t: Texts["t"]): string {
  const key = knownKey(`refusal.${cause}`);
  return key === null ? text : t(key);
}
