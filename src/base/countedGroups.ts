/** The items of one group: how many there were, and the first of them. */
export interface CountedGroup<T> {
  readonly key: string;
  readonly count: number;
  readonly first: readonly T[];
}

interface GroupState<T> {
  readonly key: string;
  count: number;
  readonly first: T[];
}

/** Items stored of one group. */
const ITEMS_PER_GROUP = 20;
/** Groups with a list of their own; items of further groups share the last one, whose key is empty. */
const GROUPS_MAX = 100;

/**
 * Counts items by group and stores the first of each group, so that the memory is bounded whatever the number of items.
 * An item is created only where it is stored.
 */
export class CountedGroups<T> {
  private readonly byKey = new Map<string, GroupState<T>>();
  private readonly isSame: (a: T, b: T) => boolean;
  private total = 0;

  /** @param isSame whether an item repeats a stored one of its group and is not counted; default: never */
  constructor(isSame: (a: T, b: T) => boolean = () => false) {
    this.isSame = isSame;
  }

  /** Number of items in all groups. */
  get count(): number {
    return this.total;
  }

  /** In the order of their first items. */
  get groups(): readonly CountedGroup<T>[] {
    return [...this.byKey.values()];
  }

  add(key: string, create: () => T): void {
    const group = this.groupOf(key);
    if (group.first.length < ITEMS_PER_GROUP) {
      const item = create();
      if (group.first.some((known) => this.isSame(known, item))) return;
      group.first.push(item);
    }
    group.count++;
    this.total++;
  }

  /** Adds a group of another collection. */
  addGroup({ key, count, first }: CountedGroup<T>): void {
    const before = this.total;
    for (const item of first) this.add(key, () => item);
    if (this.total === before && first.length > 0) return;
    const rest = count - first.length;
    this.groupOf(key).count += rest;
    this.total += rest;
  }

  private groupOf(key: string): GroupState<T> {
    const known = this.byKey.get(key);
    if (known !== undefined) return known;
    if (this.byKey.size >= GROUPS_MAX && key !== "") return this.groupOf("");
    const group = { key, count: 0, first: [] };
    this.byKey.set(key, group);
    return group;
  }
}
