import { useCallback } from "react";
import type { SandboxActionRecord } from "../../../api/client/sandboxTypes.ts";
import { useTexts } from "../../app/preferences.tsx";
import { knownKey } from "../../texts/catalogue.ts";
import { commandMessage } from "../../texts/commandMessage.ts";
import { useEventText, useMessageText } from "../../texts/useMessageText.ts";

/** Puts an action into the person's language; one of a kind that the page does not know, as the server says it. */
export function useActionText(): (action: SandboxActionRecord) => string {
  const { t } = useTexts();
  const eventText = useEventText();
  const messageText = useMessageText();
  return useCallback(
    ({ kind, text, data }) => {
      if (kind === "clock") return eventText({ kind, text, data, site: null, award_id: null });
      if (kind === "command") return messageText(commandMessage(data));
      const key = knownKey(kind === "restore" ? `action.restore_${data.to}` : `action.${kind}`);
      return key === null ? text : t(key, { ...data, text });
    },
    [t, eventText, messageText],
  );
}
