/** Data of interactive charts in a page: written by `interactiveChart.ts`, read by `src/dashboard/report/`. */
export interface ChartsJson {
  readonly start: number;
  readonly end: number;
  /** IANA name. */
  readonly zone: string;
  /** Label of the choice among several charts, and the chart that is shown first. */
  readonly choose?: string;
  readonly first?: number;
  readonly rows: readonly RowJson[];
  readonly charts: readonly ChartJson[];
  /** Longer periods show bands, if there are any. */
  readonly curvesMaxMs: number;
  /** Names of colours, by the number that blocks and shades have. */
  readonly colours: readonly string[];
}

export interface ChartJson {
  readonly title: string;
  readonly altText: string;
  readonly axisTitle: string;
  readonly curves: readonly CurveJson[];
  /** In place of curves in a period of more than `curvesMaxMs`. */
  readonly bands: readonly BandJson[];
  /** Number of a row, or of one that the chart of another figure has. */
  readonly rows: readonly (number | readonly [figure: string, row: number])[];
  readonly shades: readonly ShadeJson[];
}

/** The content of a script with `data-series`. */
export interface BinsJson {
  readonly bin_ms: number;
  /** Start of the first bin. */
  readonly start: number;
  /** Of all series; without it each series has its own. */
  readonly mean?: readonly (number | null)[];
  readonly series: readonly {
    readonly name: string;
    readonly min: readonly (number | null)[];
    readonly max: readonly (number | null)[];
    readonly mean?: readonly (number | null)[];
    /** Bounds of the middle 80 %. */
    readonly low?: readonly (number | null)[];
    readonly high?: readonly (number | null)[];
  }[];
}

/** A band over the series of a script with `data-series`: those of the names, or all. */
export interface BandJson {
  readonly label: string;
  readonly unit: string;
  readonly kind: string;
  readonly names: readonly string[];
}

export interface CurveJson {
  readonly label: string;
  readonly colour: string;
  readonly unit: string;
  readonly dashed?: 1;
  readonly filled?: 1;
  readonly points: PolylineJson;
}

/** Differences of consecutive instants and values as variable-length integers in base64: instants in `unitMs`, values in tenths. */
export interface PolylineJson {
  readonly unitMs: number;
  readonly data: string;
}

/** Blocks as gap since the end of the last one, length, colour, label and note; instants in `unitMs` since the start. */
export interface RowJson {
  readonly title: string;
  readonly heightPx: number;
  readonly unitMs: number;
  readonly blocks: readonly (readonly [gap: number, length: number, colour: number, label: string, note?: string])[];
}

/** An area between two straight lines over a period; values at its start and at its end. */
type ShadeJson = readonly [
  fromMs: number,
  toMs: number,
  from: readonly [number, number],
  to: readonly [number, number],
  colour: number,
  label: string,
];
