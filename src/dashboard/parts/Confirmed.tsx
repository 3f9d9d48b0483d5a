import { Button, Group } from "@mantine/core";
import { useState } from "react";
import { useTexts } from "../app/preferences.tsx";

interface ConfirmedProps {
  readonly label: string;
  readonly name: string;
  readonly question: string;
  readonly isBusy: boolean;
  readonly onYes: () => void;
}

/** A button that asks in its place before it acts. */
export function Confirmed({ label, name, question, isBusy, onYes }: ConfirmedProps) {
  const { t } = useTexts();
  const [isAsking, setAsking] = useState(false);
  if (!isAsking)
    return (
      <Button size="compact-xs" aria-label={name} disabled={isBusy} onClick={() => setAsking(true)}>
        {label}
      </Button>
    );
  const answer = (isYes: boolean) => () => {
    setAsking(false);
    if (isYes) onYes();
  };
  return (
    <Group gap="xs" role="group" aria-label={question}>
      <span>{question}</span>
      <Button size="compact-xs" variant="filled" onClick={answer(true)} autoFocus>
        {t("instructor.backtrack_yes")}
      </Button>
      <Button size="compact-xs" onClick={answer(false)}>
        {t("instructor.stay")}
      </Button>
    </Group>
  );
}
