import { readFileSync } from "node:fs";
import { errorCode } from "../base/errorCode.ts";
import { type InputError, InputErrors, inputError } from "../base/inputError.ts";
import { refuseIrregularFile } from "../platform/node/diskFiles.ts";

/** Minimum length of a secret of a server that other machines can reach. */
const EXPOSED_SECRET_CHARS_MIN = 32;

/** Maximum bytes of a file with a secret. */
const SECRET_BYTES_MAX = 4_096;

/** The flag of a secret, without the leading `--`. */
type SecretFlag = "sandbox-token" | "instructor-token" | "token-secret";

/** A secret as text of a flag or an environment variable, or in a file. */
interface SecretSource {
  readonly flag: SecretFlag;
  readonly text: string | undefined;
  readonly file: string | undefined;
}

interface FoundSecret {
  readonly secret: string | null;
  readonly errors: readonly InputError[];
}

/**
 * Reads a secret (docs/model/sandbox.md#secret-strength).
 *
 * @param exposure  reason why other machines can reach the server, such as `--host 0.0.0.0`; `null` if they cannot
 */
export function readSecret({ flag, text, file }: SecretSource, exposure: string | null): FoundSecret {
  const refuse = (found: string, allowed: string): FoundSecret => ({
    secret: null,
    errors: [
      inputError({
        file: `--${flag}${file === undefined ? "" : "-file"}`,
        line: 0,
        column: 0,
        keyPath: "",
        found,
        allowed,
      }),
    ],
  });
  let secret = text;
  if (file !== undefined) {
    try {
      refuseIrregularFile(file);
      secret = readFileSync(file, "utf8").replace(/\r?\n$/, "");
    } catch (error) {
      if (error instanceof InputErrors) return { secret: null, errors: error.errors };
      return refuse(`${file}, which cannot be read (${errorCode(error)})`, "a file with the secret");
    }
  }
  if (secret === undefined) {
    // Without an instructor's token, a random one is minted.
    if (exposure === null || flag === "instructor-token") return { secret: null, errors: [] };
    return refuse(`none, with ${exposure}`, longSecretText(flag));
  }
  if (secret.length > SECRET_BYTES_MAX) return refuse(`${secret.length} characters`, `at most ${SECRET_BYTES_MAX}`);
  if (!IS_HEADER_VALUE.test(secret))
    return refuse(
      secret === "" ? "an empty text" : "a character that is not printable ASCII, or a blank at an end",
      "a text of printable ASCII characters in one line",
    );
  if (exposure === null || secret.length >= EXPOSED_SECRET_CHARS_MIN) return { secret, errors: [] };
  return refuse(`${secret.length} characters, with ${exposure}`, longSecretText(flag));
}

/** Texts that are valid header values, so that the sandbox token can be sent unchanged. */
const IS_HEADER_VALUE = /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/;

const variableOf = (flag: SecretFlag): string => `VPPSIM_${flag.toUpperCase().replace("-", "_")}`;

/**
 * The environment for a program that is the trainee: without the instructor's token, and without the secret from which all refresh tokens
 * can be derived (docs/model/sandbox.md#secrets-of-programs).
 */
export function traineeEnvironment(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const hidden = new Set([variableOf("instructor-token"), variableOf("token-secret")]);
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !hidden.has(name.toUpperCase())));
}

const longSecretText = (flag: SecretFlag): string =>
  `at least ${EXPOSED_SECRET_CHARS_MIN} characters, such as the output of "openssl rand -hex 32", ` +
  `in --${flag}-file, ${variableOf(flag)} or --${flag}, because other machines can reach the server`;
