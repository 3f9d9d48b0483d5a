import { Button, Code, CopyButton, Stack } from "@mantine/core";
import { useTexts } from "../app/preferences.tsx";
import type { SentRequest } from "../data/sandboxCalls.ts";
import { curlText } from "../format/curl.ts";

interface CurlBlockProps {
  readonly request: SentRequest;
  /** Body of the answer; absent: it was not sent. */
  readonly answer?: unknown;
  /** HTTP status of the answer. */
  readonly status?: number;
}

/** A request as curl, and its answer: who can use the page can write the client. */
export function CurlBlock({ request, answer, status }: CurlBlockProps) {
  const { t } = useTexts();
  const text = curlText(request);
  return (
    <Stack gap="xs" className="curl">
      <div className="panel-head">
        <h3>{t("curl.title")}</h3>
        <div className="panel-actions">
          <CopyButton value={text}>
            {({ copied, copy }) => <Button onClick={copy}>{t(copied ? "curl.copied" : "curl.copy")}</Button>}
          </CopyButton>
        </div>
      </div>
      <Code block tabIndex={0}>
        {text}
      </Code>
      {answer !== undefined && (
        <>
          <h3>
            {t("curl.answer")} {status}
          </h3>
          <Code block tabIndex={0}>
            {JSON.stringify(answer, null, 2)}
          </Code>
        </>
      )}
    </Stack>
  );
}
