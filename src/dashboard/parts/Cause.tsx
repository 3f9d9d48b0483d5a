import type { CSSProperties } from "react";
import type { Cause } from "../../api/client/sandboxTypes.ts";
import { type Texts, useTexts } from "../app/preferences.tsx";
import { knownKey } from "../texts/catalogue.ts";

/** Name of a cause. A cause of a newer server, which the catalogue does not have, is shown by its name in the API. */
export function causeText(cause: Cause, t: Texts["t"]): string {
  const key = knownKey(`cause.${cause}`);
  return key === null ? cause.replaceAll("_", " ") : t(key);
}

/** Colour of a cause, for hatches. */
export const causeColour = (cause: Cause): CSSProperties => ({ color: `var(--cause-${cause}, var(--muted))` });

/** The hatched square of a cause, for use beside its name. */
export function CauseSwatch({ cause }: { readonly cause: Cause }) {
  return <i className="swatch" style={causeColour(cause)} aria-hidden="true" />;
}

/** Swatch and name of a cause. */
export function CauseName({ cause }: { readonly cause: Cause }) {
  const { t } = useTexts();
  return (
    <span className="cause">
      <CauseSwatch cause={cause} />
      {causeText(cause, t)}
    </span>
  );
}
