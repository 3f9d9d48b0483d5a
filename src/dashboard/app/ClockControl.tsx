import { Button, Group, Menu, Modal, Select, Stack } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useState } from "react";
import type { SessionView, Speed, VppBalance } from "../../api/client/sandboxTypes.ts";
import {
  advanceTo,
  freeze,
  run,
  SESSION_PATH,
  SPEEDS,
  useClock,
  useCommand,
  useConnection,
  useMay,
  useNowMs,
  useSandbox,
  useSession,
  useStation,
} from "../data/hooks.ts";
import type { Station } from "../data/station.ts";
import { formatMinutes } from "../format/durations.ts";
import { msOf } from "../format/times.ts";
import { Dialog } from "../parts/Dialog.tsx";
import { InstantInput } from "../parts/InstantInput.tsx";
import { Refusal } from "../parts/Refusal.tsx";
import { FREEZE_ICON, RUN_ICON } from "./icons.tsx";
import { useTexts, useTimes } from "./preferences.tsx";
import { dueStepOf, useDrill } from "./useDrill.ts";
import { useShortcut } from "./useShortcut.ts";
import { useVppName } from "./vppChoice.tsx";

const MINUTES_AHEAD = [1, 5, 15, 30, 60, 240];
/** What the dialog of a time offers at first. */
const DIALOG_AHEAD_MS = 900_000;

/** Freeze or run, speed, advance to something that has a name. */
export function ClockControl() {
  const station = useStation();
  const { t } = useTexts();
  const { value: clock } = useClock();
  const isConnected = useConnection() !== "disconnected";
  const mayControl = useMay("clock");
  const { isBusy, refusal, send, clear } = useCommand();
  const isPaused = clock?.mode !== "running";
  const isEnded = clock !== null && msOf(clock.scenario_end) <= msOf(clock.now);
  const isDisabled = !mayControl || !isConnected || isBusy || clock === null || isEnded;
  const [chosenSpeed, setChosenSpeed] = useState<Speed | null>(null);
  const speed = (isPaused ? chosenSpeed : null) ?? clock?.speed ?? 1;
  const toggle = () => {
    if (isDisabled) return;
    void send(() => (isPaused ? run(station, speed) : freeze(station)));
    setChosenSpeed(null);
  };
  useShortcut("Space", toggle);
  return (
    <Group gap="xs" wrap="nowrap" title={mayControl ? undefined : t("clock.left_to_instructor")}>
      <Button
        w="6.5rem"
        justify="start"
        leftSection={isPaused ? RUN_ICON : FREEZE_ICON}
        disabled={isDisabled}
        onClick={toggle}
      >
        {t(isPaused ? "clock.run" : "clock.freeze")}
      </Button>
      <SpeedSelect
        speed={speed}
        isDisabled={isDisabled}
        onChange={(value) => (isPaused ? setChosenSpeed(value) : void send(() => run(station, value)))}
      />
      <AdvanceMenu isDisabled={isDisabled} isBusy={isBusy} send={send} />
      <Modal opened={refusal !== null} onClose={clear} title={t("clock.advance")}>
        <Refusal>{t("clock.refused", { details: refusal?.text ?? "" })}</Refusal>
      </Modal>
    </Group>
  );
}

interface SpeedSelectProps {
  readonly speed: Speed;
  readonly isDisabled: boolean;
  readonly onChange: (speed: Speed) => void;
}

function SpeedSelect({ speed, isDisabled, onChange }: SpeedSelectProps) {
  const { t } = useTexts();
  const speeds = SPEEDS.includes(speed) ? SPEEDS : [...SPEEDS, speed];
  const data = speeds.map((value) => ({
    value: String(value),
    label: value === "max" ? t("clock.speed_max") : t("clock.speed_value", { speed: value }),
  }));
  return (
    <Select
      w="6rem"
      aria-label={t("clock.speed")}
      data={data}
      value={String(speed)}
      disabled={isDisabled}
      onChange={(value) => onChange(value === "max" ? "max" : Number(value))}
    />
  );
}

interface AdvanceMenuProps {
  readonly isDisabled: boolean;
  readonly isBusy: boolean;
  readonly send: (command: () => Promise<unknown>) => Promise<unknown>;
}

function AdvanceMenu({ isDisabled, isBusy, send }: AdvanceMenuProps) {
  const station = useStation();
  const { t } = useTexts();
  const times = useTimes();
  const nowMs = useNowMs();
  const endMs = msOf(useSession().scenario.ends_at);
  const { value: balance } = useSandbox<VppBalance>(`/sandbox/vpps/${encodeURIComponent(useVppName())}/balance`);
  const [isAsking, setAsking] = useState(false);
  const next = (balance?.next ?? []).filter(({ at }) => msOf(at) > nowMs);
  const award = next.find(({ what }) => what === "award_start");
  const event = next[0];
  const due = dueStepOf(useDrill());
  const go = (toMs: number) => void send(() => advanceTo(station, toMs));
  const goTo = (at: string | undefined) => () =>
    !isDisabled && at !== undefined && void send(() => advanceToStep(station, msOf(at)));
  useShortcut(".", goTo(award?.at));
  useShortcut("e", goTo(event?.at));
  useShortcut("t", () => !isDisabled && setAsking(true));
  const textOf = (key: "clock.next_award" | "clock.next_event", at: string): string => {
    const time = (atMs: number) => times.instant(atMs, nowMs);
    const target = t(key, { time: time(msOf(at)) });
    if (due === null || msOf(at) <= due.stopMs) return target;
    return t("clock.until_step", { target, stop: time(due.stopMs), number: due.number, until: time(due.untilMs) });
  };
  return (
    <>
      <Menu position="bottom-start">
        <Menu.Target>
          <Button w="9rem" disabled={isDisabled}>
            {t(isBusy ? "clock.advancing" : "clock.advance")}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item disabled={award === undefined} onClick={goTo(award?.at)}>
            {award === undefined ? t("clock.no_next_award") : textOf("clock.next_award", award.at)}
          </Menu.Item>
          <Menu.Item disabled={event === undefined} onClick={goTo(event?.at)}>
            {event === undefined ? t("clock.no_next_event") : textOf("clock.next_event", event.at)}
          </Menu.Item>
          <Menu.Divider />
          {MINUTES_AHEAD.map((minutes) => {
            const isBeyond = endMs < nowMs + 60_000 * minutes;
            return (
              <Menu.Item key={minutes} disabled={isBeyond} onClick={() => go(nowMs + 60_000 * minutes)}>
                {t(isBeyond ? "clock.beyond_end" : "clock.ahead", {
                  time: formatMinutes(minutes, t),
                  end: times.instant(endMs, nowMs),
                })}
              </Menu.Item>
            );
          })}
          <Menu.Divider />
          <Menu.Item onClick={() => setAsking(true)}>{t("clock.a_time")}</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {isAsking && <AdvanceDialog nowMs={nowMs} endMs={endMs} onGo={go} onClose={() => setAsking(false)} />}
    </>
  );
}

/** Advances to an instant, at most to a minute before a step has to be done: there the clock stays frozen. */
async function advanceToStep(station: Station, toMs: number): Promise<void> {
  const { drill, now } = await station.calls.get<SessionView>(SESSION_PATH);
  const { stopMs } = dueStepOf(drill) ?? { stopMs: toMs };
  if (toMs <= stopMs) return advanceTo(station, toMs);
  await freeze(station);
  if (msOf(now) < stopMs) await advanceTo(station, stopMs);
}

interface AdvanceDialogProps {
  readonly nowMs: number;
  readonly endMs: number;
  readonly onGo: (toMs: number) => void;
  readonly onClose: () => void;
}

/** Asks for an instant in the scenario's zone. */
function AdvanceDialog({ nowMs, endMs, onGo, onClose }: AdvanceDialogProps) {
  const { t } = useTexts();
  const times = useTimes();
  const end = times.instant(endMs, nowMs);
  const isPossible = (atMs: number | null): atMs is number => atMs !== null && nowMs < atMs && atMs <= endMs;
  const form = useForm<{ atMs: number | null }>({
    initialValues: { atMs: Math.min(endMs, nowMs + DIALOG_AHEAD_MS) },
    validate: { atMs: (atMs) => (isPossible(atMs) ? null : t("clock.time_wrong", { end })) },
  });
  const submit = form.onSubmit(({ atMs }) => {
    if (isPossible(atMs)) onGo(atMs);
    onClose();
  });
  return (
    <Dialog onClose={onClose} title={t("clock.time_title")}>
      <form onSubmit={submit}>
        <Stack>
          <InstantInput
            label={t("clock.time_label")}
            description={t("clock.time_range", { end })}
            precision="seconds"
            isFirst
            atMs={form.values.atMs}
            error={form.errors.atMs}
            onChange={(atMs) => form.setFieldValue("atMs", atMs)}
          />
          <Button type="submit" variant="filled">
            {t("clock.go")}
          </Button>
        </Stack>
      </form>
    </Dialog>
  );
}
