/** What never happens in a run. */
export const never = {
  "never.charges": {
    en: "{site} never charges: it is empty from {at} on.",
    ja: "{site} は充電しません：{at} 以降は空です。",
  },
  "never.charges_many": {
    en: "{count} batteries never charge: {site} is empty from {at} on.",
    ja: "充電しない蓄電池が {count} 台あります：{site} は {at} 以降は空です。",
  },
  "never.discharges": {
    en: "{site} never discharges: it is full from {at} on.",
    ja: "{site} は放電しません：{at} 以降は満充電です。",
  },
  "never.discharges_many": {
    en: "{count} batteries never discharge: {site} is full from {at} on.",
    ja: "放電しない蓄電池が {count} 台あります：{site} は {at} 以降は満充電です。",
  },
  "never.plan": {
    en: "The plan does not serve the awards of the scenario.",
    ja: "計画はシナリオの約定に対応していません。",
  },
  "never.activation": {
    en: "Every reserve award is called in full all the time (activation is 1).",
    ja: "調整力の約定はすべて、常に全量が発動されます（発動率が 1）。",
  },
  "never.penalty": {
    en: "No award has a penalty price, so {kwh} of shortfall cost nothing.",
    ja: "ペナルティ価格の指定がないため、不足量 {kwh} に費用はかかりません。",
  },
  "never.price": {
    en: "The market price never changes: it is {price} throughout.",
    ja: "市場価格は常に {price} で、変化しません。",
  },
} as const;
