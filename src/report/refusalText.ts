import type { RefusalKind } from "../base/result.ts";
import { knownKey } from "../texts/catalogue.ts";

/** `null`: no refusal kind. */
export function parseRefusalKind(text: string | undefined): RefusalKind | null {
  // A set-point that did not arrive has a reason among those of refusals, and is none.
  const isKind = text !== undefined && text !== "delivery_failed" && knownKey(`refusal.${text}`) !== null;
  return isKind ? (text as RefusalKind) : null;
}
