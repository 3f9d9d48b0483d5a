import { Button, Center, Loader, Stack } from "@mantine/core";
import { Refusal } from "../parts/Refusal.tsx";
import { useTexts } from "./preferences.tsx";

/** Until the session is read. */
export function StartLoading() {
  const { t } = useTexts();
  return (
    <Center component="main" h="100vh">
      <Stack align="center" role="status">
        <Loader size="sm" />
        {t("app.loading")}
      </Stack>
    </Center>
  );
}

export function StartFailed({ details, onRetry }: { readonly details: string; readonly onRetry: () => void }) {
  const { t } = useTexts();
  return (
    <Center component="main" h="100vh" p="xl">
      <Stack maw="40rem">
        <h1>{t("app.failed")}</h1>
        <Refusal>{t("app.failed_help", { details })}</Refusal>
        <Button onClick={onRetry}>{t("app.try_again")}</Button>
      </Stack>
    </Center>
  );
}
