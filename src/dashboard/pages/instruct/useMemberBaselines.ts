import { useCallback, useEffect, useState } from "react";
import { useNowMs, useSession, useStation } from "../../data/hooks.ts";
import type { MemberBaseline } from "./controlDraft.ts";
import type { ControlTarget } from "./controlTarget.ts";

/** Status of a member in service in the VPP API. */
const IN_SERVICE = 0;

/** Baselines are those of half hours. */
const SLOT_MS = 1_800_000;

/** The baselines that the members of a VPP report in this half hour: every control request of the VPP API carries them. */
export function useMemberBaselines(target: ControlTarget): {
  readonly baselines: readonly MemberBaseline[] | null;
  readonly reload: () => void;
} {
  const station = useStation();
  const { sites } = useSession();
  const [baselines, setBaselines] = useState<readonly MemberBaseline[] | null>(null);
  const slot = Math.floor(useNowMs() / SLOT_MS);
  const [reloads, setReloads] = useState(0);
  const vppName = target.kind === "vpp" ? target.name : null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a reload and another half hour read again
  useEffect(() => {
    if (vppName === null) return;
    let isCurrent = true;
    const read = async () => {
      const { members } = await station.vpp(vppName).statusDetails();
      if (!isCurrent) return;
      setBaselines(
        members.map(({ ems_id, label, status, active_power }) => ({
          site: sites.find((site) => site.ems_id === ems_id)?.name ?? label,
          emsId: ems_id,
          isInService: status === IN_SERVICE,
          baselineKw: active_power.baseline_kw,
        })),
      );
    };
    // Without an answer the fields stay empty, and the form says what it needs.
    read().catch(() => isCurrent && setBaselines([]));
    return () => {
      isCurrent = false;
    };
  }, [station, vppName, sites, slot, reloads]);
  return { baselines: vppName === null ? null : baselines, reload: useCallback(() => setReloads((n) => n + 1), []) };
}
