import type { RefusalKind } from "../../../base/result.ts";
import { textOf } from "../../../texts/catalogue.ts";
import type { SetpointRefusal } from "../sandboxReads.ts";

/** Why a set-point took no effect: the site refused it, or it did not arrive. */
export type SetpointRefusalKind = RefusalKind | "delivery_failed";

/** The reason in words, as the end of a sentence with "because". */
export const setpointRefusalText = (kind: SetpointRefusalKind): string => textOf("en", `refusal.${kind}`);

export const setpointRefusalView = (kind: SetpointRefusalKind | null): SetpointRefusal | null =>
  kind === null ? null : { cause: kind, text: setpointRefusalText(kind) };
