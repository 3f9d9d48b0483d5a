import { Box } from "@mantine/core";
import type { CSSProperties } from "react";
import type { Cause } from "../../api/client/sandboxTypes.ts";
import { knownKey } from "../../texts/catalogue.ts";
import { type Texts, useTexts } from "../app/preferences.tsx";

/** Name of a cause. A cause of a newer server, which the catalogue does not have, is shown by its name in the API. */
export function causeText(cause: Cause, t: Texts["t"]): string {
  const key = knownKey(`cause.${cause}`);
  return key === null ? cause.replaceAll("_", " ") : t(key);
}

/** Colour of a cause, for hatches. */
export const causeColour = (cause: Cause): CSSProperties => ({ color: `var(--cause-${cause}, var(--muted))` });

/** Stripes in the colour of the text. */
export const hatch = (periodPx: number): string =>
  `repeating-linear-gradient(45deg, currentColor 0 2px, transparent 2px ${periodPx}px)`;

/** The hatched square of a cause, for use beside its name. */
export function CauseSwatch({ cause }: { readonly cause: Cause }) {
  const style = { ...causeColour(cause), background: hatch(4), verticalAlign: -1 };
  const shape = { w: "0.875rem", h: "0.75rem", bd: "1.5px solid currentColor", bdrs: "xs" };
  return <Box component="i" display="inline-block" {...shape} style={style} aria-hidden="true" />;
}

/** Swatch and name of a cause. */
export function CauseName({ cause }: { readonly cause: Cause }) {
  const { t } = useTexts();
  return (
    <span className="inline">
      <CauseSwatch cause={cause} />
      {causeText(cause, t)}
    </span>
  );
}
