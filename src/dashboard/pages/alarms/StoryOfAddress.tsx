import type { VppBalance, VppPower } from "../../../api/client/sandboxTypes.ts";
import { useTexts } from "../../app/preferences.tsx";
import { useQueryState } from "../../app/route.ts";
import { useShortcut } from "../../app/useShortcut.ts";
import { useVppName } from "../../app/vppChoice.tsx";
import { balancePath, useNowMs, useSandbox, useSession, useStation } from "../../data/hooks.ts";
import { isoOf } from "../../format/times.ts";
import { Dialog } from "../../parts/Dialog.tsx";
import { StoryDialog } from "../now/StoryDialog.tsx";
import { begunAwards } from "../report/sessionShare.ts";

/** In the address if no award is shown. */
const NO_AWARD = "-";

/** The story of the award that the address names. `W` opens that of the award in force, or of the last one. */
export function StoryOfAddress() {
  const { t } = useTexts();
  const [awardId, open] = useQueryState("story", "");
  const vpp = useVppName();
  const { value: balance } = useSandbox<VppBalance>(balancePath(vpp));
  const readLast = useLastAward(vpp);
  useShortcut("w", () => {
    const inForce = balance?.awards[0]?.award_id;
    if (inForce !== undefined) open(inForce);
    else
      readLast().then(
        (last) => open(last ?? NO_AWARD),
        // The banner says that the server does not answer.
        () => {},
      );
  });
  if (awardId === "") return null;
  if (awardId !== NO_AWARD) return <StoryDialog awardId={awardId} onClose={() => open(null)} />;
  return (
    <Dialog onClose={() => open(null)} title={t("alarms.why")}>
      <p>{t("story.none")}</p>
    </Dialog>
  );
}

/** Reads the award of a VPP that began last; `null`: none has begun. */
function useLastAward(vpp: string): () => Promise<string | null> {
  const { calls } = useStation();
  const { starts_at } = useSession().scenario;
  const nowMs = useNowMs();
  return async () => {
    if (nowMs <= Date.parse(starts_at)) return null;
    const query = `?from=${starts_at}&to=${isoOf(nowMs)}&max_points=2`;
    const { awards } = await calls.get<VppPower>(`/sandbox/vpps/${encodeURIComponent(vpp)}/power${query}`);
    return begunAwards(awards, nowMs)[0]?.award_id ?? null;
  };
}
