import { formatValue } from "../../../base/inputError.ts";
import { Type } from "../../../base/schemaType.ts";
import { isoUtc } from "../../../base/time.ts";
import { InitialConditionFile, type WrittenInitialCondition } from "../../../live/session/initialConditionSchema.ts";
import { checkInput, type WorldInput } from "../../../live/session/journal/journalEntry.ts";
import { ClockRecord } from "../../../live/session/sandboxCommands.ts";
import type { Session } from "../../../live/session/session.ts";
import { SessionRefusal } from "../../../live/session/sessionRefusal.ts";
import type { InitialCondition } from "../../../live/session/sessionRewinds.ts";
import { type SandboxRoute, sandboxRoute } from "./sandboxRoute.ts";

const INITIAL = { tag: "Checkpoints", callers: "instructor" } as const;

/** Initial conditions as files (docs/model/sandbox.md#initial-conditions). */
export const INITIAL_CONDITION_ROUTES: readonly SandboxRoute[] = [
  sandboxRoute({
    ...INITIAL,
    method: "GET",
    path: "/sandbox/initial-conditions/{checkpoint_id}",
    summary: "A checkpoint as a file, for another server of the same scenario",
    pathExample: ({ checkpointId }) => checkpointId,
    answer: Type.Unsafe<WrittenInitialCondition>(InitialConditionFile),
    errors: [404, 409],
    handle: ({ session, variables }) => fileOf(session.rewinds.initialCondition(variables.checkpoint_id)),
  }),
  sandboxRoute({
    ...INITIAL,
    method: "POST",
    path: "/sandbox/initial-conditions",
    summary: "Go to an initial condition; the clock is paused there, and the instant is marked",
    body: InitialConditionFile,
    bodyExamples: ({ initialCondition }) => ({ file: fileOf(initialCondition) }),
    answer: ClockRecord,
    errors: [409, 503],
    handle: async ({ session, body }) => {
      await session.rewinds.load(initialConditionOf(body, session));
      return session.clock();
    },
  }),
];

const fileOf = (initial: InitialCondition): WrittenInitialCondition => ({
  vppsim_initial_condition: 1,
  scenario: initial.scenario,
  hash: initial.hash,
  seed: initial.seed,
  opened_at: isoUtc(initial.openedMs),
  at: isoUtc(initial.atMs),
  label: initial.label,
  state_hash: initial.stateHash,
  commands: [...initial.inputs],
});

/** @throws SessionRefusal  400 for a command that no session of the scenario has written */
function initialConditionOf(file: InitialConditionFile, { scenario: { world } }: Session): InitialCondition {
  const siteNames = new Set(world.sites.map(({ name }) => name));
  const inputs: WorldInput[] = [];
  for (const [k, command] of file.commands.entries()) {
    const atMs = inputs.at(-1)?.at_ms ?? world.startMs;
    const input = checkInput(command, { endMs: file.at, siteNames, atMs });
    if (input === null)
      throw new SessionRefusal(
        400,
        `Found ${formatValue(command)}, allowed a command of the journal, in order`,
        `commands.${k}`,
      );
    inputs.push(input);
  }
  return {
    scenario: file.scenario,
    hash: file.hash,
    seed: file.seed,
    openedMs: file.opened_at,
    atMs: file.at,
    label: file.label,
    stateHash: file.state_hash,
    inputs,
  };
}
