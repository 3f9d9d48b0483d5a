import { Button, Code, CopyButton, Stack } from "@mantine/core";
import { useTexts } from "../app/preferences.tsx";
import type { SentRequest } from "../data/sandboxCalls.ts";
import { curlText } from "../format/curl.ts";
import { PanelHead } from "./Panel.tsx";

interface CurlBlockProps {
  readonly request: SentRequest;
  /** Body of the answer; absent: it was not sent. */
  readonly answer?: unknown;
  /** HTTP status of the answer. */
  readonly status?: number;
}

/** The baselines of a hundred members are as many lines. */
const BLOCK = {
  block: true,
  tabIndex: 0,
  mah: "24rem",
  style: { overflowY: "auto", whiteSpace: "pre-wrap", overflowWrap: "anywhere" },
} as const;

/** A request as curl, and its answer: who can use the page can write the client. */
export function CurlBlock({ request, answer, status }: CurlBlockProps) {
  const { t } = useTexts();
  const text = curlText(request);
  return (
    <Stack gap="xs">
      <PanelHead
        actions={
          <CopyButton value={text}>
            {({ copied, copy }) => <Button onClick={copy}>{t(copied ? "curl.copied" : "curl.copy")}</Button>}
          </CopyButton>
        }
      >
        <h3>{t("curl.title")}</h3>
      </PanelHead>
      <Code {...BLOCK}>{text}</Code>
      {answer !== undefined && (
        <>
          <h3>
            {t("curl.answer")} {status}
          </h3>
          <Code {...BLOCK}>{JSON.stringify(answer, null, 2)}</Code>
        </>
      )}
    </Stack>
  );
}
