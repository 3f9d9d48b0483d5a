import { Copyable } from "../../base/copyState.ts";
import { accepted, type Refusal, type Result, refused } from "../../base/result.ts";
import type { Member, Vpp } from "../vpp/vpp.ts";
import { MEMBERS_MAX, type MemberSpec, resourceTypeOf } from "../vpp/vppSpec.ts";
import type { WorldContext } from "./worldContext.ts";

/**
 * The members of each VPP. A change affects instructions that start after it: a running instruction keeps the members and
 * weights of its start (docs/model/members.md#removal, docs/model/allocation.md#frozen-weights).
 */
export class Memberships extends Copyable {
  private readonly context: WorldContext;

  constructor(context: WorldContext) {
    super();
    this.context = context;
  }

  /** Registers a site as a member; `member.site` is its index in the world. */
  add(vpp: Vpp, member: MemberSpec): Result<Member> {
    const refusal = this.checkJoin(vpp, member);
    if (refusal !== null) return refused(refusal);
    const added: Member = { ...member, registeredMs: this.context.nowMs };
    vpp.addMember(added);
    this.context.observer.onRunEvent(
      "membership",
      this.nameOf(member.site),
      `joins ${vpp.spec.name}`,
      this.context.nowMs,
    );
    return accepted(added);
  }

  private checkJoin(vpp: Vpp, { site, resourceType }: MemberSpec): Refusal | null {
    const { emsId, components } = this.context.sites[site].spec;
    const owner = this.ownerOf(site);
    if (owner !== undefined) {
      const isOwn = owner === vpp;
      return {
        kind: isOwn ? "ems_already_registered" : "ems_registered_to_other_vpp",
        details: isOwn
          ? "The EMS is a member of this VPP, or leaves it when the running instruction ends"
          : "The EMS belongs to another VPP; it can belong to one at a time",
        parameter: "ems_id",
        emsId,
        ...(isOwn ? {} : { requiredAction: "Remove it from the other VPP first" }),
      };
    }
    const actual = resourceTypeOf(components);
    if (resourceType !== actual) {
      return {
        kind: "resource_type_mismatch",
        details: `The components of the EMS make it a ${actual}, not a ${resourceType}`,
        parameter: "resource_type",
        receivedValue: resourceType,
        validRange: actual,
        emsId,
      };
    }
    if (vpp.members.length < MEMBERS_MAX) return null;
    return {
      kind: "member_limit_exceeded",
      details: `The VPP has ${MEMBERS_MAX} members, as many as it may have`,
      validRange: `1 to ${MEMBERS_MAX} members`,
      emsId,
    };
  }

  /** The VPP that a site is a member of, or that still has it in a running instruction. */
  private ownerOf(site: number): Vpp | undefined {
    return this.context.vpps.find(
      (vpp) =>
        vpp.findMember(site) !== undefined ||
        vpp.runningInstructions.some(({ membership }) => membership.siteIndices.includes(site)),
    );
  }

  /** Changes the given fields of a member. @param site its index in the world */
  update(vpp: Vpp, site: number, change: { allocationWeight?: number; label?: string }): Result<Member> {
    const member = vpp.findMember(site);
    if (member === undefined) return refused(this.notFound(site));
    const { allocationWeight, label } = change;
    if (label !== undefined) vpp.setLabel(member, label);
    if (allocationWeight !== undefined) {
      vpp.setWeight(member, allocationWeight);
      const detail = `${vpp.spec.name}: ${allocationWeight}`;
      this.context.observer.onRunEvent("weight", this.nameOf(site), detail, this.context.nowMs);
    }
    return accepted(member);
  }

  remove(vpp: Vpp, site: number): Result<Member> {
    const member = vpp.findMember(site);
    if (member === undefined) return refused(this.notFound(site));
    vpp.removeMember(member);
    this.context.observer.onRunEvent("membership", this.nameOf(site), `leaves ${vpp.spec.name}`, this.context.nowMs);
    return accepted(member);
  }

  private notFound(site: number): Refusal {
    const { emsId } = this.context.sites[site].spec;
    return { kind: "member_not_found", details: `${emsId} is not a member of this VPP`, parameter: "ems_id", emsId };
  }

  private nameOf(site: number): string {
    return this.context.sites[site].spec.name;
  }
}
