import { useCallback } from "react";
import { type EventFacts, eventMessage, plainText } from "./eventMessage.ts";
import { useMessageText } from "./useMessageText.ts";

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
