/** What batteries cost and bring, and what that assumes. */
export const investment = {
  "investment.run": {
    en: "The batteries cost {investment} and earn {margin} a year; net present value {npv}.",
    ja: "蓄電池の投資額は {investment}、年間利益は {margin}、正味現在価値は {npv}。",
  },
  "investment.run_paid": {
    en: "The batteries cost {investment} and earn {margin} a year: simple payback in {years} years, net present value {npv}.",
    ja: "蓄電池の投資額は {investment}、年間利益は {margin}、単純回収年数は {years} 年、正味現在価値は {npv}。",
  },
  "investment.always": {
    en: "One year is repeated {years} {years|time|times}, prices as given, {discount} % a year; ageing: {ageing}.",
    ja: "1 年分を {years} 回繰り返し、価格は与えられたまま、割引率は年 {discount} %。劣化：{ageing}。",
  },
  "investment.unsettled": {
    en: "{always} Charges of the settlement are not counted.",
    ja: "{always}精算の料金は含まない。",
  },
  "investment.no_ageing": { en: "none modelled", ja: "考慮せず" },
  "investment.ageing": { en: "that of the run in every year", ja: "実行中の劣化を毎年" },
} as const;
