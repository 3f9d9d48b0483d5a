import type { FileContent } from "../fileFormat.ts";
import { dayOf } from "../time/parseDate.ts";

/**
 * Lays out a typical year, whose months come from different years, in one year: that of the option, or of the first row
 * (docs/model/formats.md#typical-years).
 */
export class TypicalYear {
  private readonly chosen: number | undefined;
  private year: number | null = null;
  private readonly sources = new Set<number>();

  constructor({ options }: FileContent) {
    this.chosen = options.year;
  }

  /** Local midnight of a day in the year; `null` for a day that does not exist there. */
  dayOf(sourceYear: number, month: number, day: number): number | null {
    this.sources.add(sourceYear);
    this.year ??= this.chosen ?? sourceYear;
    return dayOf(this.year, month, day);
  }

  /** A note on the layout for the table; `null` if all rows belong to one year and stay there. */
  get note(): string | null {
    if (this.year === null || (this.sources.size === 1 && this.sources.has(this.year))) return null;
    return `rows of ${[...this.sources].sort((a, b) => a - b).join(", ")} are laid out in ${this.year}`;
  }
}
