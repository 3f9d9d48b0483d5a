import { Button } from "@mantine/core";
import { useTexts } from "../../app/preferences.tsx";
import { useMay } from "../../data/hooks.ts";
import { redispatchHref } from "./redispatch.ts";

interface RedispatchButtonProps {
  readonly vpp: string;
  readonly awardId: string;
  readonly name: string;
}

/** Opens the form with the rest of an award in force, for a person who may send it. */
export function RedispatchButton({ vpp, awardId, name }: RedispatchButtonProps) {
  const { t } = useTexts();
  const mayImmediate = useMay("immediate");
  const maySchedule = useMay("schedules");
  if (!mayImmediate && !maySchedule) return null;
  return (
    <Button
      component="a"
      size="compact-xs"
      href={redispatchHref(vpp, awardId)}
      aria-label={t("redispatch.of", { award: name })}
    >
      {t("redispatch.title")}
    </Button>
  );
}
