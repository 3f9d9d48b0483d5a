import { inputRefusal } from "../base/inputError.ts";

const LISTEN_ERROR_TEXT: Readonly<Record<string, string>> = {
  EADDRINUSE: "is in use",
  EACCES: "requires more privileges",
  EADDRNOTAVAIL: "is not an address of this machine",
  ENOTFOUND: "is not an address of this machine",
};

/** Why a server does not listen, by the flag of its port. */
export function listenError(flag: string, host: string, port: number, error: NodeJS.ErrnoException): Error {
  const reason = LISTEN_ERROR_TEXT[error.code ?? ""];
  if (reason === undefined) return error;
  const found = `${host}:${port}, which ${reason}`;
  const allowed = "a free port of this machine, or 0 for any";
  return inputRefusal(flag, found, allowed);
}
