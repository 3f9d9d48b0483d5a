import { join } from "node:path";
import { isoUtc } from "../base/time.ts";
import { InputErrors, inputError } from "../scenario/parse/inputError.ts";
import type { Scenario } from "../scenario/scenario.ts";
import { expectedInstantFormat, parseInstantText } from "../series/csv/parseInstant.ts";
import { isSpeed, SPEED_MAX, SPEED_MIN, type Speed } from "../session/pace.ts";

/** Options as parsed by commander. */
export interface ServeFlags {
  readonly host: string;
  readonly port: number;
  readonly authPort: number;
  readonly speed?: string;
  readonly paused?: boolean;
  readonly openAt?: string;
  /** `false`: `--no-journal`. */
  readonly journal?: string | false;
  readonly rateLimits: "on" | "off";
  readonly report?: string;
  readonly sandboxToken?: string;
  readonly tokenSecret?: string;
}

/** The flags, checked against the scenario. */
export interface ServeSettings {
  readonly speed: Speed;
  readonly openAtMs: number | null;
  readonly journal: { readonly file: string | null; readonly resumesEnded: boolean };
}

const wrongFlag = (file: string, found: string, allowed: string) =>
  inputError({ file, line: 0, column: 0, keyPath: "", found, allowed });

/** @throws InputErrors with all wrong flags */
export function parseServeSettings(flags: ServeFlags, scenario: Scenario): ServeSettings {
  const speed = speedOf(flags.speed);
  const openAtMs = flags.openAt === undefined ? null : parseInstantText(flags.openAt);
  const errors = [
    ...(speed === null
      ? [wrongFlag("--speed", JSON.stringify(flags.speed), `${SPEED_MIN} to ${SPEED_MAX}, or max`)]
      : []),
    ...openAtErrors(flags.openAt, openAtMs, scenario),
    ...exposureErrors(flags),
  ];
  if (errors.length > 0 || speed === null) throw new InputErrors(errors);
  return { speed, openAtMs, journal: journalOf(flags, scenario) };
}

function speedOf(text: string | undefined): Speed | null {
  if (text === undefined) return 1;
  const speed = text === "max" ? text : text.trim() === "" ? Number.NaN : Number(text);
  return isSpeed(speed) ? speed : null;
}

function openAtErrors(text: string | undefined, openAtMs: number | null, { world }: Scenario) {
  if (text === undefined || openAtMs === null) return [];
  if (Number.isNaN(openAtMs)) return [wrongFlag("--open-at", JSON.stringify(text), expectedInstantFormat(text))];
  if (world.startMs <= openAtMs && openAtMs <= world.endMs) return [];
  const allowed = `an instant from ${isoUtc(world.startMs)} to ${isoUtc(world.endMs)}`;
  return [wrongFlag("--open-at", isoUtc(openAtMs), allowed)];
}

/** A server that other machines can reach needs secrets: tokens derived from the seed can be guessed (docs/model/sandbox.md#sandbox-access, docs/model/sandbox.md#credentials). */
function exposureErrors({ host, sandboxToken, tokenSecret }: ServeFlags) {
  if (isLoopbackName(host)) return [];
  const found = `none, with --host ${host}`;
  const allowed = "a secret text, because other machines can reach the server";
  return [
    ...(sandboxToken === undefined || sandboxToken === "" ? [wrongFlag("--sandbox-token", found, allowed)] : []),
    ...(tokenSecret === undefined || tokenSecret === "" ? [wrongFlag("--token-secret", found, allowed)] : []),
  ];
}

const isLoopbackName = (host: string): boolean => /^(localhost|127(\.\d{1,3}){3}|::1)$/i.test(host);

/** A named journal always resumes the last session; the default journal only after a crash. */
function journalOf({ journal }: ServeFlags, { name }: Scenario): ServeSettings["journal"] {
  if (journal === false) return { file: null, resumesEnded: false };
  if (journal === undefined) return { file: join(".vppsim", `${name}.journal`), resumesEnded: false };
  return { file: journal, resumesEnded: true };
}
