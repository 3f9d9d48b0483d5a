import { join } from "node:path";
import { AllowedHosts, isHostName, isLoopbackName } from "../api/http/allowedHosts.ts";
import { InputErrors, inputError } from "../base/inputError.ts";
import { isoUtc } from "../base/time.ts";
import { expectedInstantFormat, parseInstantText } from "../engine/series/csv/parseInstant.ts";
import type { Scenario } from "../inputs/scenario/scenario.ts";
import { isSpeed, SPEED_MAX, SPEED_MIN, type Speed } from "../live/session/pace.ts";
import type { ServedScenario } from "../live/session/servedScenario.ts";
import { readSecret } from "./secretFlags.ts";

/** Options as parsed by commander. */
export interface ServeFlags {
  readonly host: string;
  readonly allowHost?: readonly string[];
  readonly port: number;
  readonly authPort: number;
  /** Port of the first site; absent: sites have none. */
  readonly sitePorts?: number;
  readonly speed?: string;
  readonly paused?: boolean;
  readonly openAt?: string;
  /** `false`: `--no-journal`. */
  readonly journal?: string | false;
  readonly rateLimits: "on" | "off";
  readonly report?: string;
  readonly open?: boolean;
  readonly sandboxToken?: string;
  readonly sandboxTokenFile?: string;
  readonly instructorToken?: string;
  readonly instructorTokenFile?: string;
  readonly tokenSecret?: string;
  readonly tokenSecretFile?: string;
}

/** The flags, checked against the scenario. */
export interface ServeSettings {
  readonly speed: Speed;
  readonly openAtMs: number | null;
  readonly journal: { readonly file: string | null; readonly resumesEnded: boolean };
  readonly allowedHosts: AllowedHosts;
  readonly sandboxToken: string | null;
  readonly instructorToken: string | null;
  readonly tokenSecret: string | null;
}

const wrongFlag = (file: string, found: string, allowed: string) =>
  inputError({ file, line: 0, column: 0, keyPath: "", found, allowed });

/**
 * @param journalName  of the default journal, without its ending; default: the name of the scenario
 * @throws InputErrors with all wrong flags
 */
export function parseServeSettings(flags: ServeFlags, scenario: Scenario, journalName = scenario.name): ServeSettings {
  const speed = speedOf(flags.speed);
  const openAtMs = flags.openAt === undefined ? null : parseInstantText(flags.openAt);
  const exposure = exposureOf(flags);
  const sandboxToken = readSecret(
    { flag: "sandbox-token", text: flags.sandboxToken, file: flags.sandboxTokenFile },
    exposure,
  );
  const instructorToken = readSecret(
    { flag: "instructor-token", text: flags.instructorToken, file: flags.instructorTokenFile },
    exposure,
  );
  const tokenSecret = readSecret(
    { flag: "token-secret", text: flags.tokenSecret, file: flags.tokenSecretFile },
    exposure,
  );
  const errors = [
    ...(speed === null
      ? [wrongFlag("--speed", JSON.stringify(flags.speed), `${SPEED_MIN} to ${SPEED_MAX}, or max`)]
      : []),
    ...openAtErrors(flags.openAt, openAtMs, scenario),
    ...allowHostErrors(flags),
    ...sitePortErrors(flags, scenario),
    ...sandboxToken.errors,
    ...instructorToken.errors,
    ...sameTokenErrors(sandboxToken.secret, instructorToken.secret),
    ...tokenSecret.errors,
  ];
  if (errors.length > 0 || speed === null) throw new InputErrors(errors);
  const allowedHosts = new AllowedHosts(flags.host, flags.allowHost);
  return {
    speed,
    openAtMs,
    journal: journalOf(flags, journalName),
    allowedHosts,
    sandboxToken: sandboxToken.secret,
    instructorToken: instructorToken.secret,
    tokenSecret: tokenSecret.secret,
  };
}

/** With one token for both, every trainee would be the instructor. */
const sameTokenErrors = (sandboxToken: string | null, instructorToken: string | null) =>
  instructorToken === null || instructorToken !== sandboxToken
    ? []
    : [
        wrongFlag(
          "--instructor-token",
          "the text of --sandbox-token",
          "another text: the sandbox token is the trainee's",
        ),
      ];

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

function allowHostErrors({ allowHost = [] }: ServeFlags) {
  return allowHost
    .filter((name) => !isHostName(name))
    .map((name) => wrongFlag("--allow-host", JSON.stringify(name), "a host name or IP address, without a port"));
}

function sitePortErrors({ sitePorts = 0 }: ServeFlags, { world: { sites } }: Scenario) {
  const last = 65_536 - sites.length;
  return sitePorts <= last
    ? []
    : [wrongFlag("--site-ports", String(sitePorts), `0 to ${last}, for ${sites.length} sites`)];
}

/**
 * Why other machines can reach the server, as in the flags; `null` if they cannot. A host name other than that of the
 * loopback is useful only behind a proxy (docs/model/sandbox.md#exposure).
 */
function exposureOf({ host, allowHost = [] }: ServeFlags): string | null {
  if (!isLoopbackName(host)) return `--host ${host}`;
  const name = allowHost.find((allowed) => !isLoopbackName(allowed));
  return name === undefined ? null : `--allow-host ${name}`;
}

/** Name of the default journal of a session, without its ending. */
export const journalNameOf = ({ scenario, drill }: ServedScenario): string =>
  drill === undefined ? scenario.name : `drill-${drill.name}`;

/** `null`: `--no-journal`. */
export const journalFileOf = ({ journal }: Pick<ServeFlags, "journal">, name: string): string | null =>
  journal === false ? null : (journal ?? join(".vppsim", `${name}.journal`));

/** A named journal always resumes the last session; the default journal only after a crash. */
const journalOf = (flags: ServeFlags, name: string): ServeSettings["journal"] => ({
  file: journalFileOf(flags, name),
  resumesEnded: typeof flags.journal === "string",
});
