import { Alert, Button, Center, Group, PasswordInput, Stack } from "@mantine/core";
import { useForm } from "@mantine/form";
import type { StationKind } from "../data/station.ts";
import { LanguageSwitch } from "./LanguageSwitch.tsx";
import { useTexts } from "./preferences.tsx";

interface SignInProps {
  readonly kind: StationKind;
  /** What the server said of the last token; empty: it is valid for the trainee; `null`: none was tried. */
  readonly refusal: string | null;
  readonly onToken: (token: string) => void;
}

/** Asks for the token of the station. It is kept for this tab alone. */
export function SignIn({ kind, refusal, onToken }: SignInProps) {
  const { t } = useTexts();
  const form = useForm({ initialValues: { token: "" } });
  return (
    <Center component="main" h="100vh" p="xl">
      <form onSubmit={form.onSubmit(({ token }) => onToken(token.trim()))}>
        <Stack w="24rem">
          <Group justify="space-between">
            <h1>{t("signin.title")}</h1>
            <LanguageSwitch />
          </Group>
          {refusal !== null && (
            <Alert className="refusal" role="alert" title={t("signin.refused")}>
              {refusal === "" ? t("signin.other_role") : refusal}
            </Alert>
          )}
          <PasswordInput
            label={t("signin.token")}
            description={t(kind === "instructor" ? "signin.help_instructor" : "signin.help_trainee")}
            autoComplete="off"
            required
            {...form.getInputProps("token")}
          />
          <Button type="submit" variant="filled">
            {t("signin.enter")}
          </Button>
        </Stack>
      </form>
    </Center>
  );
}
