import { describe, expect, test } from "vitest";
import type { SitePowerHistory } from "../../src/api/client/index.ts";
import type { AwardBalance, CausePower, MemberView, SandboxEvent } from "../../src/api/client/sandboxTypes.ts";
import { formatHash, parseHash } from "../../src/dashboard/app/route.ts";
import { shownParts } from "../../src/dashboard/format/numbers.ts";
import { missingFigure } from "../../src/dashboard/pages/now/useMissingBadge.ts";
import {
  alarmFigure,
  filterMembers,
  isStale,
  memberState,
  type Priorities,
  parseSorting,
  sortMembers,
} from "../../src/dashboard/pages/sites/memberState.ts";
import { newestInstantFirst } from "../../src/dashboard/pages/sites/SitePage.tsx";
import { historyInterval, siteDispatches } from "../../src/dashboard/pages/sites/siteSpecs.ts";
import {
  blockRows,
  causeAreas,
  lastIndexAt,
  limitLabelRight,
  rangeWithZero,
} from "../../src/dashboard/parts/chart/chartSpec.ts";
import { parseZoom, windowPeriod } from "../../src/dashboard/parts/chart/WindowChoice.tsx";

test("the causes of a shortfall sum to the figure above them", () => {
  const causeOf = (kw: number): CausePower => ({
    stage: "allocation",
    cause: "out_of_service",
    site: "a",
    kw,
    since: null,
  });
  const shown = shownParts([100.04, 50.04, 0.04].map(causeOf), "kw", 150.12);
  expect(shown.map(({ kw }) => kw)).toEqual([100.1, 50]);
});

const memberOf = (site: string, change: Partial<MemberView> = {}): MemberView => ({
  site,
  resource_id: "0".repeat(32),
  class: "battery",
  status: "in_service",
  status_since: null,
  is_reachable: true,
  power_kw: 0,
  baseline_kw: 0,
  set_point_kw: null,
  delivered_kw: null,
  soc_pct: null,
  soc_min_pct: null,
  soc_max_pct: null,
  minutes_to_empty: null,
  minutes_to_full: null,
  energy_kwh: null,
  energy_to_full_kwh: null,
  headroom_up_kw: 0,
  headroom_down_kw: 0,
  available_from: null,
  weight: 100,
  last_dispatch: null,
  data_at: "2026-01-01T00:00:00Z",
  ...change,
});

describe("members", () => {
  test.each([
    [{}, "in_service"],
    [{ status: "out_of_service" as const }, "out_of_service"],
    [{ is_reachable: false }, "unreachable"],
    // The set-point is a power at the grid; what is delivered is relative to the baseline.
    [{ baseline_kw: 900, set_point_kw: 600, delivered_kw: -274 }, "in_service"],
    [{ baseline_kw: 900, set_point_kw: 600, delivered_kw: -260 }, "below"],
    [{ set_point_kw: 0, delivered_kw: 5 }, "in_service"],
  ])("with %o are %s", (change, state) => expect(memberState(memberOf("a", change))).toBe(state));

  test("are held after two simulated minutes", () => {
    expect(isStale(memberOf("a"), "2026-01-01T00:02:00Z")).toBe(false);
    expect(isStale(memberOf("a"), "2026-01-01T00:02:01Z")).toBe(true);
  });

  test("are sorted by any column, with those without a value at the end", () => {
    const members = [
      memberOf("b", { weight: 1, soc_pct: 50 }),
      memberOf("a", { weight: 2 }),
      memberOf("c", { weight: 2, status: "out_of_service", soc_pct: 20 }),
    ];
    const order = (text: string, priorities: Priorities = new Map()) =>
      sortMembers(members, parseSorting(text), priorities)
        .map(({ site }) => site)
        .join("");
    expect([order("status"), order("site"), order("-weight"), order("soc"), order("-soc"), order("nonsense")]).toEqual([
      "cab",
      "abc",
      "acb",
      "cba",
      "bca",
      "cab",
    ]);
    const priorities: Priorities = new Map([
      ["a", 2],
      ["b", 1],
    ]);
    expect([order("status", priorities), order("-status", priorities)]).toEqual(["bac", "cab"]);
  });

  test("are found by each word of a text", () => {
    const members = [memberOf("north-1"), memberOf("north-2", { class: "consumer" })];
    const found = (text: string) => filterMembers(members, text, (state) => state).map(({ site }) => site);
    expect([found(""), found("NORTH cons"), found("south")]).toEqual([["north-1", "north-2"], ["north-2"], []]);
  });
});

describe("charts", () => {
  test("the label of a limit stands at its end, or at its start if the present instant is there", () => {
    const rightAt = (now: number, to = 200) => limitLabelRight({ from: 100, to, now, width: 40, gap: 4 });
    expect([rightAt(50), rightAt(152), rightAt(200), rightAt(300)]).toEqual([196, 196, 196, 196]);
    expect([rightAt(153), rightAt(199)]).toEqual([144, 144]);
    // No room beside the line, or in the limit at all.
    expect([rightAt(140, 180), rightAt(50, 148), rightAt(50, 147)]).toEqual([null, 144, null]);
  });

  test("awards that overlap lie in rows of their own", () => {
    const blocks = [
      [0, 10],
      [5, 15],
      [10, 20],
    ].map(([fromS, toS]) => ({ fromS, toS, label: "" }));
    expect(blockRows(blocks)).toEqual([0, 1, 0]);
  });

  const areasOf = (requested: readonly number[], missing: readonly (number | null)[]) =>
    causeAreas({
      times: requested.map((_, k) => 10 * k),
      lines: [{ label: "", unit: "kW", values: requested, colour: "requested", shape: "step" }],
      causes: [{ cause: "ramp", label: "", values: missing }],
    }).map(({ fromS, toS, from, to }) => [fromS, toS, ...from, ...to]);

  test("missing power of a ramp has a sloping edge, as the line of the delivered power", () => {
    expect(areasOf([0, -100, -100, -100, -100], [0, 80, 40, 0, 0])).toEqual([
      [10, 20, -100, -20, -100, -60],
      [20, 30, -100, -60, -100, -100],
    ]);
  });

  test("missing power that stays is one area, which ends upright where the request changes and where no value follows", () => {
    expect(areasOf([50, 50, 50, 0], [5, 5, 5, 0])).toEqual([
      [0, 20, 50, 45, 50, 45],
      [20, 30, 50, 45, 50, 45],
    ]);
    expect(areasOf([50, 50, 50], [5, 5, null])).toEqual([
      [0, 10, 50, 45, 50, 45],
      [10, 20, 50, 45, 50, 45],
    ]);
  });

  test("the last instant is found", () => {
    expect([lastIndexAt([1, 3, 5], 0), lastIndexAt([1, 3, 5], 3), lastIndexAt([1, 3, 5], 9)]).toEqual([-1, 1, 2]);
  });

  test("ranges have zero in them", () => {
    expect(rangeWithZero(-100, -50)[1]).toBe(0);
    expect(rangeWithZero(null, null)).toEqual([0, 0.08]);
  });

  test("windows roll with now, and stay within the run", () => {
    const run = { fromS: 0, toS: 100_000 };
    expect(windowPeriod("1h", 50_000, run)).toEqual({ fromS: 47_300, toS: 50_900 });
    expect(windowPeriod("1h", 10, run)).toEqual({ fromS: 0, toS: 3_600 });
    expect(windowPeriod("1h", 100_000, run)).toEqual({ fromS: 96_400, toS: 100_000 });
    expect(windowPeriod("run", 10, run)).toEqual(run);
    expect([parseZoom("10-500", run), parseZoom("10-12", run), parseZoom("x", run)]).toEqual([
      { fromS: 10, toS: 500 },
      null,
      null,
    ]);
  });

  test("a longer period has a longer interval", () => {
    expect([historyInterval(900), historyInterval(14_400), historyInterval(7 * 86_400)]).toEqual([1, 60, 1_800]);
  });
});

test("the address keeps names of any letters, and text that is no UTF-8", () => {
  const route = { path: ["sites", "a/b <script> é"], query: new URLSearchParams({ filter: "x y" }) };
  expect(parseHash(formatHash(route)).path).toEqual(route.path);
  expect(parseHash("#/sites/%E0%A4%A?window=4h").path).toEqual(["sites", "%E0%A4%A"]);
  expect(parseHash("#/sites/%E0%A4%A?window=4h").query.get("window")).toBe("4h");
});

describe("a site", () => {
  test("lists the changes of its set-point, newest first", () => {
    const sampleOf = (minute: number, kw: number | null) => ({
      timestamp: `2026-01-01T00:0${minute}:00Z`,
      current_kw: 0,
      baseline_kw: 0,
      delta_kw: 0,
      dispatched_delta_kw: kw,
    });
    const data = [null, -100, -100, -120.5, 0, null].map((kw, minute) => sampleOf(minute, kw));
    expect(siteDispatches({ data } as SitePowerHistory)).toEqual([
      { at: "2026-01-01T00:04:00Z", kw: null },
      { at: "2026-01-01T00:03:00Z", kw: -120.5 },
      { at: "2026-01-01T00:01:00Z", kw: -100 },
    ]);
  });

  test("shows a command before its effect at the same instant, and later instants first", () => {
    const eventOf = (seq: number, at: string) => ({ seq, at }) as SandboxEvent;
    const events = [
      eventOf(1, "2026-01-01T00:00:00Z"),
      eventOf(2, "2026-01-01T00:01:00Z"),
      eventOf(3, "2026-01-01T00:01:00Z"),
    ];
    expect(newestInstantFirst(events).map(({ seq }) => seq)).toEqual([2, 3, 1]);
  });

  test.each([
    ["link", 50, "status"],
    ["refused", 50, "set_point"],
    ["late", 50, "delivered"],
    ["empty_soon", 50, "soc"],
    // Without a state of charge there is no such figure.
    ["energy", null, "status"],
  ] as const)("has the badge of an alarm %s, with SOC %s, at the figure %s", (kind, soc_pct, figure) =>
    expect(alarmFigure({ kind }, memberOf("a", { soc_pct }))).toBe(figure),
  );
});

test("the badge of an award stands at the figure that has the power of the alarm's cause", () => {
  const causes: CausePower[] = [
    { stage: "allocation", cause: "out_of_service", site: "a", kw: 50, since: null },
    { stage: "delivery", cause: "weather", site: "b", kw: 10, since: null },
  ];
  const award = { uncovered_kw: 50, not_delivered_kw: 10, causes } as unknown as AwardBalance;
  expect(missingFigure(award, { cause: "weather" })).toBe("not_delivered");
  expect(missingFigure(award, { cause: "out_of_service" })).toBe("uncovered");
  expect(missingFigure({ ...award, not_delivered_kw: 60 }, { cause: null })).toBe("not_delivered");
});
