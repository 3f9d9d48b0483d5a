import type { Cause } from "../../client/sandboxTypes.ts";
import { useTexts } from "../app/preferences.tsx";

/** The hatched square of a cause. Its name stands beside it. */
export function CauseSwatch({ cause }: { readonly cause: Cause }) {
  return <i className="swatch" style={{ color: `var(--cause-${cause})` }} aria-hidden="true" />;
}

/** Swatch and name of a cause. */
export function CauseName({ cause }: { readonly cause: Cause }) {
  const { t } = useTexts();
  return (
    <span className="cause">
      <CauseSwatch cause={cause} />
      {t(`cause.${cause}`)}
    </span>
  );
}
