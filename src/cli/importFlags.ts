import { inputRefusal, NO_SUCH_FILE } from "../base/inputError.ts";
import type { FormatOptions } from "../inputs/formats/fileFormat.ts";
import type { RawFile } from "../inputs/formats/readFormatFile.ts";
import type { EncodingName } from "../inputs/formats/text/decodeBytes.ts";
import type { DecimalSign } from "../inputs/formats/text/parseAmount.ts";
import type { DateOrder } from "../inputs/formats/time/parseDate.ts";
import { diskFiles } from "../platform/node/diskFiles.ts";

/** Flags of `vppsim import`. */
export interface ImportFlags {
  readonly out?: string;
  readonly detect?: boolean;
  readonly preview?: boolean;
  readonly name?: string;
  readonly replace?: boolean;
  readonly json?: boolean;
  readonly area?: string;
  readonly section?: string;
  readonly sequence?: string;
  readonly point?: string;
  readonly year?: number;
  readonly tz?: string;
  readonly encoding?: EncodingName;
  readonly delimiter?: "," | ";" | "tab";
  readonly decimal?: DecimalSign;
  readonly dateOrder?: DateOrder;
  readonly label?: "start" | "end";
  readonly column?: readonly string[];
  readonly unit?: readonly string[];
  readonly negate?: readonly string[];
  readonly missing?: readonly string[];
  readonly register?: readonly string[];
  readonly where?: readonly string[];
  readonly headerRow?: number;
  readonly timeColumn?: readonly string[];
  readonly slotMinutes?: number;
  readonly kw?: number;
  readonly price?: "mean" | "max" | "min";
}

/** The options of the reader; absent flags are absent options. */
export function importOptions(flags: ImportFlags): FormatOptions {
  const { area, section, sequence, point, year, encoding, decimal, label, negate, missing } = flags;
  const options: FormatOptions = {
    area,
    section,
    sequence,
    point,
    year,
    timezone: flags.tz,
    encoding,
    delimiter: flags.delimiter === "tab" ? "\t" : flags.delimiter,
    decimal,
    date_order: flags.dateOrder,
    label,
    columns: pairs("--column", flags.column),
    units: pairs("--unit", flags.unit),
    negate,
    missing,
    registers: flags.register,
    where: pairs("--where", flags.where, "header=value, as in Type=Electricity"),
    header_row: flags.headerRow,
    time_columns: flags.timeColumn,
    slot_minutes: flags.slotMinutes,
    capacity_kw: flags.kw,
    price: flags.price,
  };
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}

/** "load_kw=需要電力(kW)" as an entry; the header may contain further equals signs. */
function pairs(
  flag: string,
  texts: readonly string[] | undefined,
  allowed = "role=value, as in load_kw=需要電力(kW)",
): Record<string, string> | undefined {
  return texts === undefined ? undefined : Object.fromEntries(texts.map((text) => pairOf(flag, text, allowed)));
}

function pairOf(flag: string, text: string, allowed: string): [string, string] {
  const at = text.indexOf("=");
  if (0 < at && at + 1 < text.length) return [text.slice(0, at), text.slice(at + 1)];
  throw inputRefusal(flag, JSON.stringify(text), allowed);
}

/** @throws InputErrors for a file that cannot be read */
export function readRawFile(name: string): RawFile {
  const content = diskFiles.read(name);
  if (content !== null) return { name, content };
  throw inputRefusal(name, NO_SUCH_FILE, "a readable file");
}
