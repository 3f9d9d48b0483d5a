import { Box, Button, Group } from "@mantine/core";
import { type ReactNode, useState } from "react";
import type { ClockRecord } from "../../api/client/sandboxTypes.ts";
import {
  run,
  useClock,
  useCommand,
  useConnection,
  useMay,
  useOnBacktrack,
  useSession,
  useStation,
} from "../data/hooks.ts";
import { CLOCK_KEY } from "../data/station.ts";
import { formatDuration } from "../format/durations.ts";
import { msOf } from "../format/times.ts";
import { useDebriefing } from "../pages/report/DebriefingButton.tsx";
import { useTexts, useTimes } from "./preferences.tsx";
import { dueStepOf, useDrill } from "./useDrill.ts";

/** Gone back, frozen, lagging or disconnected, in words with the way out. It lies over the foot, so that nothing moves. */
export function Banner() {
  const state = useConnection();
  const { value: clock } = useClock();
  const [backtrack, setBacktrack] = useState<Backtrack | null>(null);
  useOnBacktrack((fromMs, toMs) => setBacktrack({ fromMs, toMs }));
  const shown = (): ReactNode => {
    if (state === "disconnected") return <DisconnectedBanner clock={clock} />;
    if (backtrack !== null) return <BacktrackBanner backtrack={backtrack} onClose={() => setBacktrack(null)} />;
    if (state === "frozen" && clock !== null) return <FrozenBanner clock={clock} />;
    return state === "lagging" && clock !== null && <LaggingBanner clock={clock} />;
  };
  if (clock === null && state !== "disconnected") return null;
  return (
    <div role="status" aria-live="polite">
      {shown()}
    </div>
  );
}

const BANNER = {
  wrap: "nowrap",
  py: "0.375rem",
  px: "md",
  bg: "var(--stale)",
  fw: 500,
  style: { zIndex: 150, borderTop: "2px solid var(--ink)" },
} as const;

function BannerLine({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <Group className="banner" pos="fixed" left={0} right={0} bottom={0} mih="2.75rem" {...BANNER}>
      <Box component="b" tt="uppercase" lts="0.04em">
        {title}
      </Box>
      {children}
    </Group>
  );
}

/** Instants that the clock left and went back to, as epoch ms. */
interface Backtrack {
  readonly fromMs: number;
  readonly toMs: number;
}

interface BacktrackBannerProps {
  readonly backtrack: Backtrack;
  readonly onClose: () => void;
}

function BacktrackBanner({ backtrack: { fromMs, toMs }, onClose }: BacktrackBannerProps) {
  const { t } = useTexts();
  const times = useTimes();
  return (
    <BannerLine title={t("banner.backtrack")}>
      <span>{t("banner.backtrack_text", { from: times.clock(fromMs), to: times.clock(toMs) })}</span>
      <Button onClick={onClose}>{t("app.close")}</Button>
    </BannerLine>
  );
}

interface ClockProps {
  readonly clock: ClockRecord;
}

function FrozenBanner({ clock: { now } }: ClockProps) {
  const { t } = useTexts();
  const times = useTimes();
  const { ends_at } = useSession().scenario;
  const drill = useDrill();
  const time = times.clock(msOf(now));
  if (drill?.has_ended === true)
    return (
      <BannerLine title={t("banner.frozen")}>
        <span>{t("banner.drill_ended", { time: times.clock(msOf(drill.ends_at)) })}</span>
        <DebriefingInBanner />
      </BannerLine>
    );
  const due = dueStepOf(drill);
  if (due !== null && due.stopMs <= msOf(now))
    return (
      <BannerLine title={t("banner.frozen")}>
        <span>{t("banner.due_step", { number: due.number, until: times.clock(due.untilMs), text: due.text })}</span>
      </BannerLine>
    );
  return (
    <BannerLine title={t("banner.frozen")}>
      <span>{t(msOf(now) < msOf(ends_at) ? "banner.frozen_text" : "banner.ended_text", { time })}</span>
    </BannerLine>
  );
}

function DebriefingInBanner() {
  const { t } = useTexts();
  const { isBusy, isDisabled, failure, open } = useDebriefing();
  return (
    <>
      <Button disabled={isDisabled} onClick={open}>
        {t(isBusy ? "report.debriefing_computing" : "report.debriefing")}
      </Button>
      {failure !== null && <span>{failure}</span>}
    </>
  );
}

function LaggingBanner({ clock: { lag_seconds, speed, achieved_speed } }: ClockProps) {
  const { t } = useTexts();
  const station = useStation();
  const mayControl = useMay("clock");
  const { send } = useCommand();
  const slower = Math.max(1, Math.floor(achieved_speed * 0.9));
  const values = { lag: formatDuration(lag_seconds, t), requested: speed, reached: Math.round(achieved_speed) };
  return (
    <BannerLine title={t("banner.lagging")}>
      <span>{t("banner.lagging_text", values)}</span>
      {mayControl && (
        <Button onClick={() => void send(() => run(station, slower))}>{t("banner.slower", { speed: slower })}</Button>
      )}
    </BannerLine>
  );
}

function DisconnectedBanner({ clock }: { readonly clock: ClockRecord | null }) {
  const { t } = useTexts();
  const times = useTimes();
  const { reads } = useStation();
  const { now } = useSession();
  const sinceThen = formatDuration((Date.now() - reads.receivedAtMs(CLOCK_KEY)) / 1_000, t);
  return (
    <BannerLine title={t("banner.disconnected")}>
      <span>{t("banner.disconnected_text", { time: times.clock(msOf(clock?.now ?? now)), lost: sinceThen })}</span>
      <Button onClick={() => reads.refresh()}>{t("banner.try_now")}</Button>
    </BannerLine>
  );
}
