import { Center } from "@mantine/core";
import type { AlarmRecord } from "../../api/client/sandboxTypes.ts";
import { useTexts } from "../app/preferences.tsx";

export type AlarmPriority = AlarmRecord["priority"];

const BADGE = { role: "img", flex: "none", w: "1.25rem", h: "1.25rem", fz: "xs", fw: 700 };

const SHAPES = {
  1: { c: "var(--on-alarm-1)", bg: "var(--alarm-1)" },
  2: {
    w: "1.5rem",
    h: "1.375rem",
    c: "var(--on-alarm-2)",
    bg: "var(--alarm-2)",
    style: { alignItems: "end", clipPath: "polygon(50% 0, 100% 100%, 0 100%)" },
  },
  3: { bd: "2px solid var(--ink)", bdrs: "50%" },
};

/** Priority by number, shape and colour: square, triangle, ring. */
export function AlarmBadge({ priority }: { readonly priority: AlarmPriority }) {
  const { t } = useTexts();
  return (
    <Center component="span" inline {...BADGE} {...SHAPES[priority]} aria-label={t("alarm.priority", { priority })}>
      <span aria-hidden="true">{priority}</span>
    </Center>
  );
}
