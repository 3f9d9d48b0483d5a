import { Copyable } from "../../base/copyState.ts";
import { sumOf } from "../../base/lists.ts";
import { type AwardAccount, FIGURE } from "../settlement/awardAccount.ts";
import { requestedKwOf } from "../settlement/awardFigures.ts";

/** Amounts of the executed awards that one site bears, in JPY; import positive where they are of energy. */
export const NO_AMOUNTS = {
  capacity: 0,
  /** Award energy at its own price, signed as the flow. */
  awardEnergy: 0,
  /** All credits, and award energy with a price of its own, at the market price. */
  credits: 0,
  within: 0,
  penalty: 0,
};

export type SiteAmounts = Readonly<typeof NO_AMOUNTS>;

const AMOUNTS = Object.keys(NO_AMOUNTS) as readonly (keyof SiteAmounts)[];

/** Sums what the executed awards earn and cost at each site. @see docs/model/money.md#by-site */
export class SiteMoney extends Copyable {
  /** By site and amount, site-major. */
  readonly values: Float64Array;

  constructor(siteCount: number) {
    super();
    this.values = new Float64Array(siteCount * AMOUNTS.length);
  }

  /**
   * Adds a closed account.
   *
   * @param first  account of the first executed piece of the award, whose deltas the capacity payment is for
   */
  add(account: AwardAccount, first: AwardAccount): void {
    const { credits, attribution, sums } = account;
    const sign = account.instruction.direction;
    if (sums[FIGURE.capacityJpyPerKw] !== 0)
      this.addMembers(first, "capacity", first.executedTenths, capacityPerTenth(sums[FIGURE.capacityJpyPerKw], first));
    if (credits !== null) {
      this.addMembers(account, "awardEnergy", credits.energyJpy, sign);
      this.addMembers(account, "credits", credits.marketJpy, sign);
      this.addMembers(account, "within", credits.withinMarketJpy, sign);
    }
    if (attribution !== null) this.addMembers(account, "penalty", attribution.memberPenaltyJpy, 1);
  }

  /** Adds factor · the value of each member. */
  private addMembers(
    { instruction }: AwardAccount,
    amount: keyof SiteAmounts,
    values: ArrayLike<number>,
    factor: number,
  ): void {
    const { siteIndices } = instruction.membership;
    const column = AMOUNTS.indexOf(amount);
    for (let i = 0; i < siteIndices.length; i++)
      this.values[siteIndices[i] * AMOUNTS.length + column] += factor * values[i];
  }
}

/** Capacity payment of a piece for each tenth of a kW that a member holds. */
function capacityPerTenth(jpyPerKw: number, { instruction, executedTenths }: AwardAccount): number {
  const { hasDelta, uncoveredAtStartTenths, fcrUncoveredAtStartTenths, origin } = instruction;
  const uncoveredKw = Math.abs(hasDelta ? uncoveredAtStartTenths : fcrUncoveredAtStartTenths) / 10;
  const heldKw = Math.max(0, Math.abs(requestedKwOf(origin)) - uncoveredKw);
  const tenths = sumOf(executedTenths);
  return tenths === 0 ? 0 : (jpyPerKw * heldKw) / tenths;
}

/** The amounts of one site. @param values  of `SiteMoney` */
export function amountsOf(values: Float64Array, site: number): SiteAmounts {
  const amounts = { ...NO_AMOUNTS };
  AMOUNTS.forEach((name, k) => {
    amounts[name] = values[site * AMOUNTS.length + k];
  });
  return amounts;
}
