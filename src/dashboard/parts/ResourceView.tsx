import type { ReactNode } from "react";
import { useTexts } from "../app/preferences.tsx";
import type { Resource } from "../data/reads.ts";
import { EmptyState } from "./Panel.tsx";
import { Refusal } from "./Refusal.tsx";

interface ResourceViewProps<T> {
  readonly resource: Resource<T>;
  readonly children: (value: T) => ReactNode;
}

/** What was read; the reason where nothing could be read. A value that was read before stays. */
export function ResourceView<T>({ resource: { value, error }, children }: ResourceViewProps<T>) {
  const { t } = useTexts();
  if (value !== null) return children(value);
  if (error === null) return <EmptyState>{t("resource.loading")}</EmptyState>;
  return <Refusal>{t("resource.failed", { details: error.message })}</Refusal>;
}
