import { writeSync } from "node:fs";

/** Writes all bytes: one write of the system may write a part of them. @throws the system error */
export function writeAll(fd: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at);
}
