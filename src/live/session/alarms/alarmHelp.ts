import { type Language, type LocalText, textIn } from "../../../base/language.ts";
import type { AlarmKind } from "./alarm.ts";
import type { AlarmRecord } from "./alarmSchema.ts";

/** Time within which to respond, as an ISO 8601 duration. */
const TIME_TO_RESPOND: Readonly<Record<AlarmKind, string>> = {
  out_of_service: "PT5M",
  link: "PT10M",
  refused: "PT10M",
  energy: "PT10M",
  limited: "PT10M",
  below_set_point: "PT10M",
  empty_soon: "PT20M",
  late: "PT10M",
  uncovered: "PT5M",
  outside_band: "PT10M",
};

/** What helps a person to respond to an alarm. */
interface AlarmHelp {
  readonly cause: LocalText;
  readonly consequence: LocalText;
  readonly action: LocalText;
}

const HELP: Readonly<Record<AlarmKind, AlarmHelp>> = {
  out_of_service: {
    cause: { en: "The site is out of service.", ja: "拠点が停止しています。" },
    consequence: {
      en: "It delivers nothing. Its share of each award is missing unless other members take over.",
      ja: "供出がなくなります。他のリソースが補わない限り、各約定の配分が不足します。",
    },
    action: {
      en: "Call the owner. Dispatch the rest of the award again, with more weight on other members.",
      ja: "所有者に連絡してください。他のリソースの配分比を上げ、約定の残りを再指令してください。",
    },
  },
  link: {
    cause: { en: "The site does not answer the VPP.", ja: "拠点がVPPに応答していません。" },
    consequence: {
      en: "It follows its last set-point, and new ones do not arrive. Its values are those last received.",
      ja: "拠点は最後の指令に従い、新しい指令は届きません。表示値は最後に受信した値です。",
    },
    action: {
      en: "Call the owner. Give the share to members that can be reached.",
      ja: "所有者に連絡し、通信できるリソースに配分を移してください。",
    },
  },
  refused: {
    cause: {
      en: "The site refused its set-point by its own terms, such as a pause after a load reduction.",
      ja: "拠点が自身の条件（負荷抑制後の待機時間など）により指令を拒否しました。",
    },
    consequence: { en: "Its share is missing until the next dispatch.", ja: "次の指令まで配分が不足します。" },
    action: {
      en: "Read the reason at the site. Dispatch again without it, or with a share that it accepts.",
      ja: "拠点の画面で理由を確認し、その拠点を除くか、受け入れられる配分で再指令してください。",
    },
  },
  energy: {
    cause: { en: "The store has reached a limit of its state of charge.", ja: "充電率が限界に達しました。" },
    consequence: {
      en: "It can deliver no more in this direction until it is recharged or discharged.",
      ja: "充電または放電するまで、この方向には供出できません。",
    },
    action: {
      en: "Move its share to members with energy, and recharge it after the award.",
      ja: "余力のあるリソースに配分を移し、約定の終了後に充電してください。",
    },
  },
  limited: {
    cause: {
      en: "The site cannot deliver the share that its weight gives it.",
      ja: "拠点が配分比に応じた量を供出できません。",
    },
    consequence: {
      en: "The difference is missing unless other members have headroom.",
      ja: "他のリソースに余力がなければ、その分が不足します。",
    },
    action: {
      en: "Give more weight to members with headroom, and dispatch again.",
      ja: "余力のあるリソースの配分比を上げ、再指令してください。",
    },
  },
  below_set_point: {
    cause: {
      en: "The site delivers less than it was sent, for its load or the weather.",
      ja: "負荷や天候により、拠点の供出量が制御量を下回っています。",
    },
    consequence: {
      en: "The award is short by this power, and no evaluation moves it to other members.",
      ja: "約定がこの分だけ不足し、自動では他のリソースに移りません。",
    },
    action: {
      en: "Reduce its weight, and dispatch the rest of the award again.",
      ja: "配分比を下げ、約定の残りを再指令してください。",
    },
  },
  empty_soon: {
    cause: {
      en: "At its present power the store ends before the award does.",
      ja: "現在の出力では、約定の終了前に蓄電池が限界に達します。",
    },
    consequence: {
      en: "From then on its share is missing.",
      ja: "その時点から配分が不足します。",
    },
    action: {
      en: "Reduce its weight in time, so that its energy lasts, and dispatch again.",
      ja: "終了まで持つように早めに配分比を下げ、再指令してください。",
    },
  },
  late: {
    cause: {
      en: "The site still ramps, or its set-point is still on its way.",
      ja: "拠点が出力変化中、または指令が到達していません。",
    },
    consequence: {
      en: "The difference is missing until it arrives at its set-point.",
      ja: "制御量に達するまで、その差が不足します。",
    },
    action: {
      en: "Wait, or give the share to faster members.",
      ja: "待つか、応動の速いリソースに配分を移してください。",
    },
  },
  uncovered: {
    cause: {
      en: "Power of the award is in no member's share.",
      ja: "約定の一部がどのリソースにも配分されていません。",
    },
    consequence: { en: "This power is missing.", ja: "この電力が不足します。" },
    action: {
      en: "Give weight to members with headroom, and dispatch again.",
      ja: "余力のあるリソースに配分比を設定し、再指令してください。",
    },
  },
  outside_band: {
    cause: {
      en: "Delivered power is outside the band of the product, with no other finding.",
      ja: "他の異常がないまま、供出量が商品の許容範囲を外れています。",
    },
    consequence: {
      en: "The time outside the band counts against the compliance of the award.",
      ja: "範囲外の時間は約定の適合率を下げます。",
    },
    action: {
      en: "Look for a member that delivers more than its share, and dispatch again.",
      ja: "配分を超えて供出しているリソースを確認し、再指令してください。",
    },
  },
};

/** The help of an alarm, with the time to respond as an ISO 8601 duration. */
export function alarmHelp(kind: AlarmKind, language: Language): AlarmRecord["help"] {
  const { cause, consequence, action } = HELP[kind];
  return {
    cause: textIn(cause, language),
    consequence: textIn(consequence, language),
    action: textIn(action, language),
    time_to_respond: TIME_TO_RESPOND[kind],
  };
}
