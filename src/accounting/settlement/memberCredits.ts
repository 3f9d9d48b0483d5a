import { Copyable } from "../../base/copyState.ts";

/**
 * What the members of one award are credited along the request, priced. Of award energy each member has the share of its credit
 * among those along the request, piece by piece. @see docs/model/money.md#by-site
 */
export class MemberCredits extends Copyable {
  /** At the market price: all that a member is credited, and its share of the award energy. */
  readonly marketJpy: Float64Array;
  readonly withinMarketJpy: Float64Array;
  /** Its share of the award energy at the price of the award. */
  readonly energyJpy: Float64Array;
  /** Of members with a constant delivery in the present interval; 0 for the others. */
  readonly steadyKw: Float64Array;
  /** Since the prices changed. */
  private readonly kwh: Float64Array;
  private readonly withinKwh: Float64Array;
  /** Of the present piece: all, and what is along the request. */
  private readonly pieceKwh: Float64Array;
  private readonly alongKwh: Float64Array;

  constructor(memberCount: number) {
    super();
    const column = () => new Float64Array(memberCount);
    this.marketJpy = column();
    this.withinMarketJpy = column();
    this.energyJpy = column();
    this.steadyKw = column();
    this.kwh = column();
    this.withinKwh = column();
    this.pieceKwh = column();
    this.alongKwh = column();
  }

  /** Begins with another award. */
  open(): void {
    for (const column of [this.marketJpy, this.withinMarketJpy, this.energyJpy, this.kwh, this.withinKwh])
      column.fill(0);
  }

  /** Begins a piece with the members of constant delivery. */
  beginPiece(hours: number): void {
    const { steadyKw } = this;
    for (let i = 0; i < steadyKw.length; i++) this.setMember(i, steadyKw[i] * hours, Math.max(0, steadyKw[i] * hours));
  }

  /** What a member is credited in the piece: all, and what is along the request. */
  setMember(member: number, kwh: number, alongKwh: number): void {
    this.pieceKwh[member] = kwh;
    this.alongKwh[member] = alongKwh;
  }

  /** @param withinKwh  of all members together */
  endPiece(withinKwh: number): void {
    const { pieceKwh, alongKwh, kwh } = this;
    let sumKwh = 0;
    for (let i = 0; i < pieceKwh.length; i++) {
      kwh[i] += pieceKwh[i];
      sumKwh += alongKwh[i];
    }
    if (withinKwh <= 0 || sumKwh === 0) return;
    for (let i = 0; i < alongKwh.length; i++) this.withinKwh[i] += (withinKwh * alongKwh[i]) / sumKwh;
  }

  /** Values what was credited since the last call. @param energyPrice  `null`: the award has no price of energy */
  addPricedValue(marketPrice: number, energyPrice: number | null): void {
    const { kwh, withinKwh } = this;
    for (let i = 0; i < kwh.length; i++) {
      this.marketJpy[i] += marketPrice * kwh[i];
      if (energyPrice === null) continue;
      this.withinMarketJpy[i] += marketPrice * withinKwh[i];
      this.energyJpy[i] += energyPrice * withinKwh[i];
    }
    kwh.fill(0);
    withinKwh.fill(0);
  }
}
