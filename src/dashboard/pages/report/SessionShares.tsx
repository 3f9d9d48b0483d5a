import { Anchor, Table } from "@mantine/core";
import type { AwardStory, VppPower } from "../../../api/client/sandboxTypes.ts";
import { useTexts, useTimes } from "../../app/preferences.tsx";
import { useQueryState } from "../../app/route.ts";
import { useVppName, VppChoice } from "../../app/vppChoice.tsx";
import { useNowMs, useResource, useSession, useStation } from "../../data/hooks.ts";
import { formatKw } from "../../format/numbers.ts";
import { msOf } from "../../format/times.ts";
import { EmptyState, Panel, ResourceView } from "../../parts/Panel.tsx";
import { type AwardShare, begunAwards, shareOf } from "./sessionShare.ts";

/** Real ms between two reads of all stories. */
const PERIOD_MS = 30_000;

/** The shortfall of each award, of the time before the session opened apart from that in it. */
export function SessionShares() {
  const { t } = useTexts();
  const times = useTimes();
  const { scenario } = useSession();
  const nowMs = useNowMs();
  const openedMs = msOf(scenario.opened_at);
  const hasBefore = msOf(scenario.starts_at) < openedMs;
  const shares = useShares(useVppName());
  const lead = hasBefore ? t("report.session_lead", { at: times.instant(openedMs, nowMs) }) : t("report.session_whole");
  return (
    <Panel title={t("report.session")} actions={<VppChoice />}>
      <p className="muted">{lead}</p>
      <ResourceView resource={shares}>
        {(value) =>
          value.length === 0 ? <EmptyState>{t("report.no_awards")}</EmptyState> : <ShareTable shares={value} />
        }
      </ResourceView>
    </Panel>
  );
}

function useShares(vpp: string) {
  const { calls } = useStation();
  const { scenario } = useSession();
  const path = `/sandbox/vpps/${encodeURIComponent(vpp)}/power`;
  const load = async (): Promise<readonly AwardShare[]> => {
    const clock = await calls.get<{ readonly now: string }>("/sandbox/clock");
    if (msOf(clock.now) <= msOf(scenario.starts_at)) return [];
    const query = `?from=${scenario.starts_at}&to=${clock.now}&max_points=2`;
    const { awards } = await calls.get<VppPower>(`${path}${query}`);
    const shares: AwardShare[] = [];
    // One after the other: other reads of the page come between them.
    for (const award of begunAwards(awards, msOf(clock.now))) {
      const story = `/sandbox/awards/${encodeURIComponent(award.award_id)}/story`;
      shares.push(shareOf(award, await calls.get<AwardStory>(story)));
    }
    return shares;
  };
  return useResource(`award shares ${vpp}`, load, PERIOD_MS);
}

function ShareTable({ shares }: { readonly shares: readonly AwardShare[] }) {
  const { t } = useTexts();
  const times = useTimes();
  const nowMs = useNowMs();
  const [, openStory] = useQueryState("story", "");
  const sum = (key: "beforeKwh" | "withinKwh") => shares.reduce((total, share) => total + share[key], 0);
  return (
    <Table.ScrollContainer minWidth={440}>
      <Table layout="fixed">
        <Table.Thead>
          <Table.Tr>
            <Table.Th w="22%">{t("report.award")}</Table.Th>
            <Table.Th w="22%">{t("report.period")}</Table.Th>
            <Table.Th w="21%" ta="right">
              {t("report.requested")}
            </Table.Th>
            <Table.Th w="18%" ta="right">
              {t("report.before")}
            </Table.Th>
            <Table.Th ta="right">{t("report.within")}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {shares.map(({ awardId, name, startMs, endMs, requestedKw, beforeKwh, withinKwh }) => (
            <Table.Tr key={awardId}>
              <Table.Th scope="row" style={{ overflowWrap: "anywhere" }}>
                <Anchor component="button" type="button" size="sm" ta="left" onClick={() => openStory(awardId)}>
                  {name}
                </Anchor>
              </Table.Th>
              <Table.Td>
                {times.instant(startMs, nowMs)} – {times.instant(endMs, nowMs)}
              </Table.Td>
              <Table.Td className="num">{formatKw(requestedKw)}</Table.Td>
              <Table.Td className="num">{formatKw(beforeKwh)}</Table.Td>
              <Table.Td className="num">{formatKw(withinKwh)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
        <Table.Tfoot>
          <Table.Tr>
            <Table.Th scope="row">{t("report.total")}</Table.Th>
            <Table.Td />
            <Table.Td />
            <Table.Th className="num">{formatKw(sum("beforeKwh"))}</Table.Th>
            <Table.Th className="num">{formatKw(sum("withinKwh"))}</Table.Th>
          </Table.Tr>
        </Table.Tfoot>
      </Table>
    </Table.ScrollContainer>
  );
}
