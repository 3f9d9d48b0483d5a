import { useCallback } from "react";
import { useTexts, useTimes } from "../app/preferences.tsx";
import { formatMinutes } from "../format/durations.ts";
import { formatKw } from "../format/numbers.ts";
import { msOf } from "../format/times.ts";
import { type EventFacts, eventMessage, plainText } from "./eventMessage.ts";
import type { MessageText, TextValue } from "./messageText.ts";

/** Puts a message into the person's language, zone and number format. */
export function useMessageText(): (text: MessageText) => string {
  const { t } = useTexts();
  const times = useTimes();
  return useCallback(
    (text) => {
      const sentence = ({ key, values }: MessageText): string =>
        t(key, Object.fromEntries(Object.entries(values).map(([name, value]) => [name, textOf(value)])));
      const textOf = (value: TextValue): string => {
        if (typeof value === "string") return value;
        if ("message" in value) return sentence(value.message);
        if ("kw" in value) return formatKw(value.kw);
        if ("minutes" in value) return formatMinutes(value.minutes, t);
        if ("key" in value) return t(value.key);
        if ("count" in value) return String(value.count);
        return times.clock(msOf(value.at));
      };
      return sentence(text);
    },
    [t, times],
  );
}

/** Puts an event, or a mark of the chart, into the person's language, zone and number format. */
export function useEventText(): (event: EventFacts) => string {
  const textOf = useMessageText();
  return useCallback(
    (event) => {
      const text = eventMessage(event);
      return text === null ? plainText(event) : textOf(text);
    },
    [textOf],
  );
}
