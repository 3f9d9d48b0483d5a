import { Group, Input, SegmentedControl } from "@mantine/core";
import { DateInput, TimePicker } from "@mantine/dates";
import { type MouseEvent, type ReactNode, useId, useState } from "react";
import { useTexts, useTimes } from "../app/preferences.tsx";
import { useNowMs, useSession } from "../data/hooks.ts";
import { instantsInZone, parseDay } from "../format/parseTime.ts";
import { msOf } from "../format/times.ts";

interface InstantInputProps {
  /** What the instant is of; the zone is added. */
  readonly label: string;
  readonly description?: ReactNode;
  /** Epoch ms; `null`: empty, or not complete. */
  readonly atMs: number | null;
  readonly onChange: (atMs: number | null) => void;
  /** Smallest part of the time that can be entered. */
  readonly precision: "minutes" | "seconds";
  readonly error?: ReactNode;
  /** Takes the focus in a dialog. */
  readonly isFirst?: boolean;
}

/** Local date and time as the fields have them. */
interface LocalParts {
  /** Empty: none. */
  readonly day: string;
  /** The last one that was complete; empty: none. */
  readonly time: string;
  /** Whether hours, minutes and seconds are there: a part of them may have been deleted. */
  readonly hasTime: boolean;
}

const NO_PARTS: LocalParts = { day: "", time: "", hasTime: false };

/**
 * A click on a field whose digits are selected leaves them so, and the next digit replaces them: browsers put the cursor between
 * them after the click, where the library selects before it.
 */
function keepSelection(event: MouseEvent<HTMLInputElement>): void {
  event.stopPropagation();
  if (document.activeElement === event.currentTarget) event.preventDefault();
}

/**
 * An instant in the scenario's zone: a date to type or to choose, and the time on the 24-hour clock. Of an hour that comes twice
 * the person chooses one by the name of the zone.
 */
export function InstantInput({ label, description, atMs, onChange, precision, error, isFirst }: InstantInputProps) {
  const { t } = useTexts();
  const times = useTimes();
  const nowMs = useNowMs();
  const { starts_at, ends_at } = useSession().scenario;
  const labelId = useId();
  const [entered, setEntered] = useState<LocalParts>(NO_PARTS);
  const instantsOf = ({ day, time, hasTime }: LocalParts) =>
    day === "" || !hasTime ? [] : instantsInZone(`${day}T${time}`, times);
  const dayOf = (ms: number) => times.local(ms).slice(0, 10);
  const partsOf = (ms: number): LocalParts => ({
    day: dayOf(ms),
    time: times.local(ms).slice(11, precision === "seconds" ? 19 : 16),
    hasTime: true,
  });
  // Another instant than the one that was entered came from outside.
  const shown = atMs === null || instantsOf(entered).includes(atMs) ? entered : partsOf(atMs);
  const choices = instantsOf(shown);
  const enter = (changes: Partial<LocalParts>) => {
    const next = { ...shown, ...changes };
    setEntered(next);
    onChange(instantsOf(next)[0] ?? null);
  };
  const labelOf = (part: "date" | "hours" | "minutes" | "seconds") => t(`instant.${part}`, { label });
  const problem = error ?? (atMs === null ? t("instant.incomplete") : null);
  const focus = isFirst === true ? { "data-autofocus": true } : {};
  return (
    <Input.Wrapper
      label={t("instant.in_zone", { label, zone: times.zoneName(atMs ?? nowMs) })}
      labelElement="div"
      labelProps={{ id: labelId }}
      description={description}
      error={problem}
    >
      <Group className="instant" gap="xs" role="group" aria-labelledby={labelId}>
        <DateInput
          flex="1 1 6.5rem"
          aria-label={labelOf("date")}
          valueFormat="YYYY-MM-DD"
          dateParser={parseDay}
          value={shown.day === "" ? null : shown.day}
          minDate={dayOf(msOf(starts_at))}
          maxDate={dayOf(msOf(ends_at))}
          ariaLabels={{
            nextMonth: t("instant.next_month"),
            previousMonth: t("instant.previous_month"),
            nextYear: t("instant.next_year"),
            previousYear: t("instant.previous_year"),
            nextDecade: t("instant.next_decade"),
            previousDecade: t("instant.previous_decade"),
          }}
          onChange={(day) => enter({ day: day?.slice(0, 10) ?? "" })}
        />
        <TimePicker
          withSeconds={precision === "seconds"}
          value={shown.time}
          hoursInputLabel={labelOf("hours")}
          minutesInputLabel={labelOf("minutes")}
          secondsInputLabel={labelOf("seconds")}
          hoursInputProps={{ ...focus, onMouseDown: keepSelection }}
          minutesInputProps={{ onMouseDown: keepSelection }}
          secondsInputProps={{ onMouseDown: keepSelection }}
          error={problem !== null}
          // An empty value would clear the parts that are still there.
          onChange={(time) => enter(time === "" ? { hasTime: false } : { time, hasTime: true })}
        />
        {choices.length > 1 && (
          <SegmentedControl
            aria-label={t("instant.twice", { label })}
            data={choices.map((choice) => ({ value: String(choice), label: times.zoneName(choice) }))}
            value={String(atMs)}
            onChange={(choice) => onChange(Number(choice))}
          />
        )}
      </Group>
    </Input.Wrapper>
  );
}
