import { Group, SimpleGrid } from "@mantine/core";
import type { MemberView } from "../../../api/client/sandboxTypes.ts";
import { useTexts, useTimes } from "../../app/preferences.tsx";
import { formatKw, formatPct, formatWeight } from "../../format/numbers.ts";
import { msOf } from "../../format/times.ts";
import { AlarmBadge } from "../../parts/AlarmBadge.tsx";
import { Figure } from "../../parts/Figure.tsx";
import { siteAlarm, useAlarms } from "../alarms/useAlarms.ts";
import { StatusCell } from "./MemberRow.tsx";
import { type AlarmFigure, alarmFigure, isStale, setPointChange } from "./memberState.ts";

interface MemberFiguresProps {
  readonly member: MemberView;
  readonly at: string;
  readonly vpp: string;
}

/** State and figures of a member, as an operator sees them. */
export function MemberFigures({ member, at, vpp }: MemberFiguresProps) {
  const { t } = useTexts();
  const times = useTimes();
  const alarm = siteAlarm(useAlarms(), member.site);
  const figure = alarm === null ? null : alarmFigure(alarm, member);
  const badgeOf = (of: AlarmFigure) => alarm !== null && figure === of && <AlarmBadge priority={alarm.priority} />;
  const stale = isStale(member, at);
  const setPoint = setPointChange(member);
  const { status_since, data_at, power_kw, baseline_kw, delivered_kw, soc_pct, weight } = member;
  const { energy_kwh, headroom_up_kw, headroom_down_kw, available_from } = member;
  const kw = (value: number | null, otherwise: string) =>
    value === null ? { value: otherwise } : { value: formatKw(value), unit: "kW" };
  return (
    <>
      <Group component="p" gap="0.25rem 0.75rem" mih="1.5rem" mb="sm">
        <StatusCell member={member} priority={figure === "status" ? (alarm?.priority ?? null) : null} />
        {status_since !== null && (
          <span className="muted">{t("status.since", { time: times.clock(msOf(status_since)) })}</span>
        )}
        {available_from !== null && (
          <span className="muted">{t("site.available_from", { at: times.time(msOf(available_from)) })}</span>
        )}
        {stale && <span className="muted">{t("value.stale", { time: times.clock(msOf(data_at)) })}</span>}
      </Group>
      {/* Of one width each, so that a longer value moves no other figure. */}
      <SimpleGrid component="dl" minColWidth="8rem" autoFlow="auto-fit" spacing="lg" verticalSpacing="xs">
        <Figure fz="1.375rem" label={t("site.power")} {...kw(power_kw, t("value.no_data"))} isStale={stale} />
        <Figure fz="1.375rem" label={t("site.baseline")} {...kw(baseline_kw, t("value.no_data"))} isStale={stale} />
        <Figure
          fz="1.375rem"
          label={t("site.set_point")}
          {...kw(setPoint, t("value.none"))}
          isStale={stale}
          badge={badgeOf("set_point")}
        />
        <Figure
          fz="1.375rem"
          label={t("word.delivered")}
          {...kw(delivered_kw, t("value.none"))}
          isStale={stale}
          badge={badgeOf("delivered")}
        />
        {soc_pct !== null && (
          <Figure
            fz="1.375rem"
            label={t("site.soc")}
            value={formatPct(soc_pct)}
            unit="%"
            isStale={stale}
            badge={badgeOf("soc")}
          />
        )}
        {energy_kwh !== null && (
          <Figure fz="1.375rem" label={t("site.energy")} value={formatKw(energy_kwh)} unit="kWh" isStale={stale} />
        )}
        <Figure
          fz="1.375rem"
          label={t("site.headroom_up")}
          {...kw(headroom_up_kw, t("value.no_data"))}
          isStale={stale}
        />
        <Figure
          fz="1.375rem"
          label={t("site.headroom_down")}
          {...kw(headroom_down_kw, t("value.no_data"))}
          isStale={stale}
        />
        <Figure fz="1.375rem" label={t("site.weight", { vpp })} value={formatWeight(weight)} />
      </SimpleGrid>
    </>
  );
}
