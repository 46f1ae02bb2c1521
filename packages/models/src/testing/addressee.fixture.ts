import type { Addressee } from '../wire.ts';

/** A model that is asked to think no more than it usually does. */
export function addressee(baseUrl: string, changes: Partial<Addressee> = {}): Addressee {
  const reasoning = { effort: 'default', tokens: undefined } as const;
  return { model: 'm', baseUrl: new URL(baseUrl), reasoning, ...changes };
}
