import { useCallback } from "react";
import type { SandboxActionRecord } from "../../../api/client/sandboxTypes.ts";
import { knownKey } from "../../../texts/catalogue.ts";
import { useTexts } from "../../app/preferences.tsx";
import { commandMessage } from "../../messages/commandMessage.ts";
import { useEventText, useMessageText } from "../../messages/useMessageText.ts";

/** Puts an action into the person's language; one of a kind that the page does not know, as the server says it. */
export function useActionText(): (action: SandboxActionRecord) => string {
  const { t } = useTexts();
  const eventText = useEventText();
  const messageText = useMessageText();
  return useCallback(
    ({ kind, text, data }) => {
      if (kind === "clock") return eventText({ kind, text, data, site: null, award_id: null });
      if (kind === "command") return messageText(commandMessage(data));
      const part = kind === "restore" ? data.to : kind === "alarm" ? data.act : null;
      const key = knownKey(part === null ? `action.${kind}` : `action.${kind}_${part}`);
      return key === null ? text : t(key, { ...data, text });
    },
    [t, eventText, messageText],
  );
}
