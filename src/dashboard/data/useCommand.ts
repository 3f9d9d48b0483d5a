import { useState } from "react";
import { useStation } from "./hooks.ts";
import { SandboxError } from "./sandboxCalls.ts";

/** Why a command failed. */
interface CommandRefusal {
  readonly text: string;
  /** The key of the body that was refused; `null`: none. */
  readonly parameter: string | null;
}

/** Sends commands one at a time, and keeps why the last one failed. */
export function useCommand() {
  const { reads } = useStation();
  const [isBusy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<CommandRefusal | null>(null);
  const send = async (command: () => Promise<unknown>): Promise<boolean> => {
    if (isBusy) return false;
    setBusy(true);
    setRefusal(null);
    try {
      await command();
      return true;
    } catch (error) {
      const parameter = error instanceof SandboxError ? error.parameter : null;
      setRefusal({ text: error instanceof Error ? error.message : String(error), parameter });
      return false;
    } finally {
      setBusy(false);
      reads.refresh();
    }
  };
  return { isBusy, refusal, send, clear: () => setRefusal(null) };
}
