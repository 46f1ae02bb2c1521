import { Capability, Risk, Role } from '@palyra/protocol';

/** An entity as it stands in a context or an attribute. */
export interface Reference {
  [part: string]: string;
  type: string;
  id: string;
}

export function reference(type: string, id: string): Reference {
  return { type, id };
}

export function references(type: string, ids: readonly string[]): Reference[] {
  return sortedSet(ids).map((id) => reference(type, id));
}

/** Cedar's sets have no order: one spelling of each, so that equal questions are equal text. */
export function sortedSet(words: readonly string[]): string[] {
  return words.length < 2 ? [...words] : [...new Set(words)].toSorted();
}

export function capabilityWords(capabilities: readonly Capability[]): string[] {
  return capabilities.map((capability) => CAPABILITY_WORDS.get(capability) ?? 'unknown');
}

/** A risk that nobody stated is the greatest. */
export function riskWord(risk: Risk): string {
  return RISK_WORDS.get(risk) ?? 'critical';
}

/** Every role up to this one; none for what is no role. */
export function rolesUpTo(role: Role): string[] {
  const place = ROLES.findIndex(([known]) => known === role);
  return ROLES.slice(0, place + 1).map(([, word]) => word);
}

const ROLES = [
  [Role.OPERATOR, 'operator'],
  [Role.ADMIN, 'admin'],
  [Role.OWNER, 'owner'],
] as const;

const CAPABILITY_WORDS: ReadonlyMap<number, string> = wordsOf(Capability);
const RISK_WORDS: ReadonlyMap<number, string> = wordsOf(Risk);

function wordsOf(names: Readonly<Record<string, number>>): ReadonlyMap<number, string> {
  const stated = Object.entries(names).filter(([name]) => name !== 'UNSPECIFIED');
  return new Map(stated.map(([name, value]) => [value, name.toLowerCase()]));
}
