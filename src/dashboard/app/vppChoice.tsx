import { SegmentedControl, Select } from "@mantine/core";
import { useSession } from "../data/hooks.ts";
import { useTexts } from "./preferences.tsx";
import { useQueryState } from "./route.ts";

/** The VPP that is shown: of the address, else the first of the scenario. Every scenario has one. */
export function useVppName(): string {
  const { vpps } = useSession();
  const [chosen] = useQueryState("vpp", vpps[0].name);
  return vpps.find(({ name }) => name === chosen)?.name ?? vpps[0].name;
}

const SEGMENTS_MAX = 4;

/** Chooses the VPP; nothing where there is only one. */
export function VppChoice() {
  const { t } = useTexts();
  const { vpps } = useSession();
  const name = useVppName();
  const [, choose] = useQueryState("vpp", vpps[0].name);
  if (vpps.length === 1) return null;
  const data = vpps.map((vpp) => vpp.name);
  const label = t("vpp.choose");
  return vpps.length <= SEGMENTS_MAX ? (
    <SegmentedControl aria-label={label} data={data} value={name} onChange={choose} />
  ) : (
    <Select aria-label={label} data={data} value={name} onChange={choose} searchable />
  );
}
