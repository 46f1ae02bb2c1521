/** Somebody who was heard, and who let in the device through which they spoke. */
export interface Spoken {
  /** `user:01J…` */
  readonly principal: string;
  /** People who could have spoken in their place; absent where there is nobody. */
  readonly vouchedBy?: readonly string[];
}

/** In the place of people of whom nothing is known any more. */
export const ANYBODY = 'anybody';

/** Whether one person alone could have spoken as both. */
export function couldBeOne(one: Spoken, other: Spoken): boolean {
  const [here, there] = [handsOf(one), handsOf(other)];
  return here.has(ANYBODY) || there.has(ANYBODY) || !here.isDisjointFrom(there);
}

/**
 * Those who count as one, together. INVARIANT: one person alone is never in two groups, through
 * however many others they speak; two people may be in one.
 */
export function groupsOfOne<Voice extends Spoken>(
  voices: readonly Voice[],
): readonly (readonly Voice[])[] {
  let groups: readonly (readonly Voice[])[] = [];
  for (const voice of voices) {
    const isNear = (group: readonly Voice[]) => group.some((each) => couldBeOne(each, voice));
    const near = groups.filter(isNear).flat();
    groups = [...groups.filter((group) => !isNear(group)), [...near, voice]];
  }
  return groups;
}

function handsOf({ principal, vouchedBy = [] }: Spoken): ReadonlySet<string> {
  return new Set([principal, ...vouchedBy]);
}
