import { describe, expect, test } from "vitest";
import type { SandboxEvent } from "../../src/api/client/sandboxTypes.ts";
import { type EventFacts, eventMessage, plainText } from "../../src/dashboard/messages/eventMessage.ts";
import type { MessageText, TextValue } from "../../src/dashboard/messages/messageText.ts";
import { storyEvents } from "../../src/dashboard/pages/now/StoryDialog.tsx";
import { textOf } from "../../src/texts/catalogue.ts";

const eventOf = (kind: SandboxEvent["kind"], data: EventFacts["data"], more: Partial<EventFacts> = {}): EventFacts => ({
  kind,
  site: null,
  award_id: null,
  text: "as the server says it",
  data,
  ...more,
});

/** With values as the page formats them. */
function saidIn(language: "en" | "ja", event: EventFacts): string {
  const text = eventMessage(event);
  return text === null ? plainText(event) : sentenceIn(language, text);
}

function sentenceIn(language: "en" | "ja", text: MessageText): string {
  const formatValue = (value: TextValue): string => {
    if (typeof value === "string") return value;
    if ("message" in value) return sentenceIn(language, value.message);
    if ("key" in value) return textOf(language, value.key);
    return String(Object.values(value)[0]);
  };
  const values = Object.fromEntries(Object.entries(text.values).map(([name, value]) => [name, formatValue(value)]));
  return textOf(language, text.key, values);
}

const AWARD = { award_id: "reserve" };
const SITE = { site: "battery" };

describe("texts of events", () => {
  test.each<[EventFacts, string, string]>([
    [
      eventOf("award_registered", { requested_kw: -1900 }, AWARD),
      "reserve is registered: -1900 kW",
      "reserve を登録：-1900 kW",
    ],
    [
      eventOf("award_registered", { change: "cut", by_award_id: "sale" }, AWARD),
      "reserve is cut by sale",
      "reserve の一部が sale に置き換えられた",
    ],
    [eventOf("award_ended", {}, AWARD), "reserve ends", "reserve 終了"],
    [
      eventOf("award_ended", { change: "deleted" }, AWARD),
      "reserve is deleted before its start",
      "reserve を開始前に削除",
    ],
    [
      eventOf("dispatched", { uncovered_kw: 0, dispatched_count: 6, member_count: 6 }, AWARD),
      "reserve: dispatched to 6 of 6 members, all of it covered",
      "reserve：6 件中 6 件に指令、全量を割り当て",
    ],
    [
      eventOf("redispatched", { uncovered_kw: 231.3, dispatched_count: 5, member_count: 6 }, AWARD),
      "reserve: dispatched to 5 of 6 members, 231.3 kW uncovered",
      "reserve：6 件中 5 件に指令、231.3 kW が未割当",
    ],
    [
      eventOf("refused", { change: "no_effect", by_award_id: "sale" }, AWARD),
      "reserve has no effect: sale is running",
      "reserve は無効：sale を実行中",
    ],
    [
      eventOf("refused", { cause: "dr_cooldown_active" }, { ...AWARD, ...SITE }),
      "battery refuses its set-point of reserve: the site is in its cooldown after the last load reduction",
      "battery が reserve の制御量を拒否：拠点は前回の需要抑制後の休止期間中",
    ],
    [
      eventOf("refused", { error_type: "of_a_newer_server" }, AWARD),
      "reserve is refused: of_a_newer_server",
      "reserve を拒否：of_a_newer_server",
    ],
    [eventOf("status_changed", { status: "in_service" }, SITE), "battery is back in service", "battery が運転に復帰"],
    [
      eventOf("fault_noticed", { effect: "output_limited", detail: "40 %" }, SITE),
      "Output of battery is limited to 40 %",
      "battery の出力を 40 % に制限",
    ],
    [eventOf("fault_cleared", { effect: "no_data" }, SITE), "battery sends values again", "battery の値の受信が再開"],
    [
      eventOf("weight_changed", { change: "weight", vpp: "east", allocation_weight: 175 }, SITE),
      "Weight of battery in east: 175",
      "east での battery の配分比：175",
    ],
    [
      eventOf("clock", { change: "speed_changed", by: "trainee", speed: 60 }),
      "Trainee: speed changed to ×60",
      "訓練生：速度を ×60 に変更",
    ],
    [
      eventOf("clock", { change: "ended", by: null, speed: 1 }),
      "Server: clock stopped at the end of the scenario",
      "サーバー：シナリオの終了で停止",
    ],
    [
      eventOf("command", {
        act: "weight",
        method: "POST",
        path: "/members/x",
        member: "battery",
        allocation_weight: 20,
      }),
      "battery: weight set to 20",
      "battery：配分比を 20 に設定",
    ],
    [
      eventOf("command_refused", {
        act: "schedule_deleted",
        method: "DELETE",
        path: "/control/active_power/schedules",
        status: 409,
        error_type: "x",
        target: "VPP east",
      }),
      "VPP east: schedule deleted: refused, 409 x",
      "VPP east：スケジュールを削除：拒否、409 x",
    ],
    [
      eventOf("command_refused", { method: "POST", path: "/control", status: 422, error_type: "x", target: "east" }),
      "east: POST /control: refused, 422 x",
      "east：POST /control：拒否、422 x",
    ],
  ])("%o", (event, english, japanese) => {
    expect(saidIn("en", event)).toBe(english);
    expect(saidIn("ja", event)).toBe(japanese);
  });

  test("have an instant of the clock only where it advances to one", () => {
    const frozen = eventMessage(eventOf("clock", { change: "frozen", by: "trainee", speed: 1 }));
    expect(frozen?.values).not.toHaveProperty("at");
  });

  test("are those of the server, with a real minus, where kind or data are not known", () => {
    const event = eventOf("fault_noticed", { effect: "of_a_newer_server" }, { text: "battery-1: -40 kW, not -x" });
    expect(saidIn("en", event)).toBe("battery-1: \u221240 kW, not -x");
  });
});

describe("the story of an award", () => {
  test("has its own events, and those of sites while it is in force", () => {
    const events = [
      { seq: 1, kind: "award_registered", award_id: "reserve", site: null },
      { seq: 2, kind: "status_changed", award_id: null, site: "before" },
      { seq: 3, kind: "award_started", award_id: "reserve", site: null },
      { seq: 4, kind: "status_changed", award_id: null, site: "within" },
      { seq: 5, kind: "award_started", award_id: "other", site: null },
      { seq: 6, kind: "command", award_id: null, site: "within" },
      { seq: 7, kind: "award_ended", award_id: "reserve", site: null },
      { seq: 8, kind: "status_changed", award_id: null, site: "after" },
    ].map((event) => ({ ...event, at: "", text: "", data: {} }) as SandboxEvent);
    expect(storyEvents(events, "reserve").map(({ seq }) => seq)).toEqual([1, 3, 4, 7]);
  });
});
