import { useState } from "react";
import { useStation } from "../../data/hooks.ts";
import { SandboxError } from "../../data/sandboxCalls.ts";

/** What the server refused. */
interface CommandRefusal {
  readonly text: string;
  /** The key of the body that was refused; `null`: none. */
  readonly parameter: string | null;
}

/** Sends commands of the sandbox one at a time, and keeps the last refusal. */
export function useInstructorCommand() {
  const { reads } = useStation();
  const [isBusy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<CommandRefusal | null>(null);
  const send = async (command: () => Promise<unknown>): Promise<boolean> => {
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
  return { isBusy, refusal, send };
}
