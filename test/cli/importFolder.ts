// A folder with published files, for commands that read them.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import iconv from "iconv-lite";
import { createTemporaryFolder } from "../temporaryFolder.ts";
import { type ProcessResult, runVppsim } from "./runVppsim.ts";

/** A day of half-hourly prices of JEPX. */
export const SPOT = [
  "受渡日,時刻コード,システムプライス(円/kWh),エリアプライス東京(円/kWh)",
  ...Array.from({ length: 48 }, (_, k) => `2031/04/01,${k + 1},10.00,${(8 + k / 10).toFixed(2)}`),
].join("\r\n");

export class ImportFolder {
  readonly path = createTemporaryFolder("cli");

  /** Writes a text as CP932, as Japanese markets publish it. */
  write(name: string, text: string): void {
    writeFileSync(join(this.path, name), iconv.encode(`${text}\r\n`, "cp932"));
  }

  /** Runs vppsim there, with the words of `line`. */
  run(line: string): ProcessResult {
    return runVppsim(line.split(" "), { cwd: this.path });
  }
}
