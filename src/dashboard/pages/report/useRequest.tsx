import { useState } from "react";
import { Refusal } from "../../parts/Refusal.tsx";

/** Runs one request at a time and keeps why it failed. */
export function useRequest() {
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const run = async (request: () => Promise<void>) => {
    setBusy(true);
    setFailure(null);
    try {
      await request();
    } catch (error) {
      setFailure(error instanceof Error ? error.message : String(error));
    }
    setBusy(false);
  };
  return { isBusy, failure, run };
}

/** Why the last request failed. */
export function Failure({ text }: { readonly text: string | null }) {
  if (text === null) return null;
  return <Refusal mt="xs">{text}</Refusal>;
}
