import { Button } from "@mantine/core";
import { useTexts } from "../../dashboard/app/preferences.tsx";
import { usePlayground, usePlaygroundState } from "../app/hooks.ts";

/** Asks which of several scenarios is meant. */
export function EntryChoice() {
  const { t } = useTexts();
  const playground = usePlayground();
  const { choice } = usePlaygroundState();
  if (choice === null) return null;
  return (
    <fieldset className="choice" aria-label={t("playground.choose_entry")}>
      <b>{t("playground.choose_entry")}</b>
      {choice.entries.map((entry) => (
        <Button
          key={entry}
          data-testid={`entry-${entry}`}
          onClick={() => void playground.open({ entry, files: choice.files })}
        >
          {entry}
        </Button>
      ))}
    </fieldset>
  );
}
