import { Button, Center, Group, PasswordInput, Stack } from "@mantine/core";
import { useForm } from "@mantine/form";
import type { TokenRefusal } from "../data/boot.ts";
import type { StationKind } from "../data/station.ts";
import { Refusal } from "../parts/Refusal.tsx";
import { LanguageSwitch, useTexts } from "./preferences.tsx";

interface SignInProps {
  readonly kind: StationKind;
  /** Of the last token; `null`: none was tried. */
  readonly refusal: TokenRefusal | null;
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
          {refusal !== null && <Refusal title={t("signin.refused")}>{t(`signin.refused_why.${refusal}`)}</Refusal>}
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
