import type { RefusalKind } from "../../../base/result.ts";
import { REFUSAL_TEXT } from "../../../report/refusalText.ts";
import type { SetpointRefusal } from "../sandboxReads.ts";

/** Why a set-point took no effect: the site refused it, or it did not arrive. */
export type SetpointRefusalKind = RefusalKind | "delivery_failed";

/** The reason in words, as the end of a sentence with "because". */
export const setpointRefusalText = (kind: SetpointRefusalKind): string =>
  kind === "delivery_failed" ? "the set-point could not be delivered" : REFUSAL_TEXT[kind];

export const setpointRefusalView = (kind: SetpointRefusalKind | null): SetpointRefusal | null =>
  kind === null ? null : { cause: kind, text: setpointRefusalText(kind) };
