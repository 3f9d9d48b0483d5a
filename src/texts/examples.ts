/** Descriptions of the shipped scenarios; the English ones are those in their files. */
export const examples = {
  "example.activation_and_money": {
    en: "A reserve activated in part, with capacity price, penalty and cost of energy",
    ja: "一部だけ発動する予備力と、容量価格、ペナルティ、電力量の費用",
  },
  "example.api_calls": {
    en: "API calls as events, as in an exported session",
    ja: "エクスポートしたセッションと同じく、API の呼び出しをイベントとして書いたシナリオ",
  },
  "example.battery_ageing": {
    en: "A battery that loses capacity by time and cycles, beside one that does not",
    ja: "時間とサイクルで容量が減る蓄電池と、減らない蓄電池",
  },
  "example.behind_the_meter": {
    en: "PV, battery and plant behind one meter, with open and tracking control",
    ja: "一つのメーターの内側の太陽光、蓄電池、発電機。開ループと追従の制御",
  },
  "example.bids": {
    en: "A battery bids to buy, to sell and to hold reserve; some bids are taken",
    ja: "蓄電池が買い、売り、予備力に入札し、一部が約定する",
  },
  "example.coexisting": {
    en: "Three products at the same time that exceed one battery",
    ja: "一つの蓄電池を超える三つの商品が同時にある",
  },
  "example.compound": {
    en: "A compound award, change of power and frequency response in one",
    ja: "電力の変更と周波数応答を一つにした複合約定",
  },
  "example.demand_response": {
    en: "Reductions of loads, measured against a baseline of past days",
    ja: "過去の日のベースラインに対する需要の削減",
  },
  "example.direct_call": { en: "The owner of a site overrides an award", ja: "拠点の所有者が約定を上書きする" },
  "example.energy_aware": {
    en: "Three batteries share an award by what their stores can hold",
    ja: "三つの蓄電池が蓄電量に応じて約定を分担する",
  },
  "example.ev_chargers": {
    en: "Two fleets of electric vehicles, one of them two-way",
    ja: "二つの電気自動車群。一方は双方向",
  },
  "example.frequency_containment": {
    en: "A day of frequency containment reserve, with a fault",
    ja: "周波数調整予備力の一日と一つの故障",
  },
  "example.integration": {
    en: "Three batteries without awards that a client program instructs",
    ja: "約定のない三つの蓄電池に、クライアントプログラムが指令する",
  },
  "example.limits_by_time": {
    en: "Connection limits by time of day, and what they take from awards and PV",
    ja: "時間帯ごとの連系制約と、それが約定と太陽光から奪うもの",
  },
  "example.outages_and_links": {
    en: "Random outages, planned maintenance and lost messages",
    ja: "ランダムな停止、計画保守、失われる通信",
  },
  "example.output_control": { en: "Curtailment by the grid operator on a sunny Sunday", ja: "晴れた日曜日の出力制御" },
  "example.overlap": { en: "Awards that overwrite earlier ones in part", ja: "以前の約定の一部を上書きする約定" },
  "example.plants": {
    en: "Gas, biomass and pumped-storage plants with ramps and minimum output",
    ja: "変化速度と最低出力を持つガス、バイオマス、揚水の発電機",
  },
  "example.pv_from_weather": {
    en: "Generation of two PV plants from irradiance and temperature",
    ja: "日射と気温から求めた二つの太陽光発電の出力",
  },
  "example.mixed_week": {
    en: "Twelve sites of all kinds, two virtual power plants, every product, and a sunny weekend",
    ja: "あらゆる種類の十二拠点、二つの VPP、全商品、晴れた週末",
  },
  "example.quickstart": {
    en: "Six sites, nine awards, and a day on which a few things go wrong",
    ja: "六つの拠点、九つの約定、いくつかの不具合がある一日",
  },
  "example.batteries_and_plants": {
    en: "Two batteries, a gas plant with a plan and a ramp, a pumped-storage plant",
    ja: "二つの蓄電池、計画と変化速度を持つガス発電機、揚水発電機",
  },
  "example.unequal_batteries": {
    en: "Four batteries of unlike power and energy",
    ja: "出力と容量の異なる四つの蓄電池",
  },
  "example.unreliable_batteries": {
    en: "Five batteries, two of which fail often",
    ja: "五つの蓄電池。うち二つはよく故障する",
  },
} as const;
