// A rule about names, read from the text of a formatted source.
import type { SourceFile } from "./tidySource.ts";

/** Quantities that have a unit. A name that ends in one of them does not say in which. */
const QUANTITY =
  /(?:^|[a-z0-9])(?:power|energy|price|fee|cost|penalty|revenue|capacity|duration|delay|timeout|interval|limit|rate|ramp|temperature|irradiance|soc|delta|shortfall|imbalance|headroom|uncovered|surplus|shortage|requested|delivered|activated)$/i;

const NUMBER = "(?:readonly )?(?:number|EpochMs|NumberOrSeries|Float64Array)(?:\\[\\])?(?: \\| (?:null|undefined))*";

const DECLARATIONS: readonly RegExp[] = [
  new RegExp(`^ +(?:(?:readonly|private|protected|static) )*#?(\\w+)\\??: ${NUMBER}(?:;| =)`, "gm"),
  new RegExp(`^export const (\\w+)(?:: ${NUMBER})? = -?[\\d.]`, "gm"),
];

/** Fields, and exported constants, that are numbers and name a quantity without its unit. Wire names have underscores. */
export const quantitiesWithoutUnit = ({ path, text }: SourceFile): string[] =>
  DECLARATIONS.flatMap((declaration) => [...text.matchAll(declaration)])
    .map(([, name]) => name)
    .filter((name) => QUANTITY.test(name) && !/[a-z]_/.test(name))
    .map((name) => `${path}: ${name}`);
