import { useTexts } from "../app/preferences.tsx";

export type AlarmPriority = 1 | 2 | 3;

/** Priority by number, shape and colour: square, triangle, ring. */
export function AlarmBadge({ priority }: { readonly priority: AlarmPriority }) {
  const { t } = useTexts();
  return (
    <span className={`alarm-badge alarm-${priority}`} role="img" aria-label={t("alarm.priority", { priority })}>
      <span aria-hidden="true">{priority}</span>
    </span>
  );
}
