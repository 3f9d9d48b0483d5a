/** What the figures of an investment assume. */
export const investment = {
  "investment.always": {
    en: "One year is repeated {years} {years|time|times}, prices as given, {discount} % a year; ageing: {ageing}.",
    ja: "1 年分を {years} 回繰り返し、価格は与えられたまま、割引率は年 {discount} %。劣化：{ageing}。",
  },
  "investment.no_ageing": { en: "none modelled", ja: "考慮せず" },
  "investment.ageing": { en: "that of the run in every year", ja: "実行中の劣化を毎年" },
} as const;
