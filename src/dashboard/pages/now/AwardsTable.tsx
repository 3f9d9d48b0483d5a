import { Badge, Box, Button, Group, Kbd, Table } from "@mantine/core";
import type { AwardBalance } from "../../../api/client/sandboxTypes.ts";
import { useTexts, useTimes } from "../../app/preferences.tsx";
import { useQueryState } from "../../app/route.ts";
import { useNowMs } from "../../data/hooks.ts";
import { formatKw } from "../../format/numbers.ts";
import { msOf } from "../../format/times.ts";
import { AlarmBadge } from "../../parts/AlarmBadge.tsx";
import { Panel, ScrollWindow } from "../../parts/Panel.tsx";
import { RedispatchButton } from "../instruct/RedispatchButton.tsx";
import { LabelControl } from "../schedules/LabelControl.tsx";
import { useMissingBadge } from "./useMissingBadge.ts";

interface AwardsTableProps {
  readonly vpp: string;
  readonly awards: readonly AwardBalance[];
}

/** Several awards in force, one row each, in the place of one award: nothing below moves when one begins or ends. */
export function AwardsTable({ vpp, awards }: AwardsTableProps) {
  const { t } = useTexts();
  const title = t("award.several", { count: awards.length });
  const uncoveredKw = awards.reduce((sum, { uncovered_kw }) => sum + uncovered_kw, 0);
  return (
    <Panel title={title} note={t("award.several_uncovered", { kw: formatKw(uncoveredKw) })} height="12rem">
      <ScrollWindow label={title} height="8.75rem">
        <Table
          className="awards"
          lh="1.5rem"
          stickyHeader
          layout="fixed"
          verticalSpacing={1}
          horizontalSpacing="0.25rem"
        >
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t("report.award")}</Table.Th>
              <Table.Th w="6.75rem" className="num">
                {t("award.requested_kw")}
              </Table.Th>
              <Table.Th w="6.75rem" className="num">
                {t("award.delivered_kw")}
              </Table.Th>
              <Table.Th w="7.25rem" className="num">
                {t("award.uncovered_kw")}
              </Table.Th>
              <Table.Th w="7.25rem" className="num">
                {t("award.not_delivered_kw")}
              </Table.Th>
              <Table.Th w="11.25rem">
                <span className="visually-hidden">{t("schedules.action")}</span>
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {awards.map((award, k) => (
              <AwardRow key={award.award_id} vpp={vpp} award={award} isFirst={k === 0} />
            ))}
          </Table.Tbody>
        </Table>
      </ScrollWindow>
    </Panel>
  );
}

interface AwardRowProps {
  readonly vpp: string;
  readonly award: AwardBalance;
  /** Whether it is the one whose story the shortcut `W` opens. */
  readonly isFirst: boolean;
}

function AwardRow({ vpp, award, isFirst }: AwardRowProps) {
  const { t } = useTexts();
  const times = useTimes();
  const nowMs = useNowMs();
  const [, openStory] = useQueryState("story", "");
  const badge = useMissingBadge(award);
  const { award_id, name, sku, ends_at, requested_kw, delivered_kw, uncovered_kw, not_delivered_kw } = award;
  const end = t("award.until", { time: times.instant(msOf(ends_at), nowMs) });
  return (
    <Table.Tr>
      <Table.Th scope="row" title={`${name} · ${end}`}>
        <Group component="span" className="nowrap" gap="sm" wrap="nowrap">
          <span className="truncate">{name}</span>
          <LabelControl awardId={award_id} name={name} />
          {sku !== null && (
            <Badge variant="default" radius="xs" px="0.25rem" flex="none">
              {sku.toUpperCase()}
            </Badge>
          )}
          {/* On a narrow screen the name needs the place; the next steps beside it have the end. */}
          <Box component="span" flex="none" c="dimmed" fw={400} visibleFrom="wide">
            {end}
          </Box>
        </Group>
      </Table.Th>
      <Table.Td className="num">{formatKw(requested_kw)}</Table.Td>
      <Table.Td className="num">{formatKw(delivered_kw)}</Table.Td>
      <Table.Td className="num">
        {badge?.of === "uncovered" && <AlarmBadge priority={badge.priority} />} {formatKw(uncovered_kw)}
      </Table.Td>
      <Table.Td className="num">
        {badge?.of === "not_delivered" && <AlarmBadge priority={badge.priority} />} {formatKw(not_delivered_kw)}
      </Table.Td>
      <Table.Td className="num">
        <Group gap="xs" justify="end" wrap="nowrap">
          <RedispatchButton vpp={vpp} awardId={award_id} name={name} />
          <Button
            size="compact-xs"
            aria-label={t("alarms.why_of", { award: name })}
            onClick={() => openStory(award_id)}
            rightSection={isFirst ? <Kbd size="xs">W</Kbd> : null}
          >
            {t("award.why")}
          </Button>
        </Group>
      </Table.Td>
    </Table.Tr>
  );
}
