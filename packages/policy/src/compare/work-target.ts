import { reference } from '../request/words.ts';
import { workEntity } from '../request/work.ts';
import type { ProbedPrincipal } from './principals.ts';
import type { Resource } from './target.ts';

interface NamedOwners {
  readonly works: ReadonlySet<string>;
  readonly users: ReadonlySet<string>;
  readonly tokens: ReadonlySet<string>;
}

/** So many of those whom rules name are asked for one by one. */
const MAX_OWNERS = 16;

/** Whose runs and sessions there can be. A rule that names somebody may mean their work by it. */
export function workTargets({ works, users, tokens }: NamedOwners): readonly Resource[] {
  const people = Array.from(users, (id) => `user:${id}`);
  const named = [...works, ...people, ...Array.from(tokens, (id) => `token:${id}`)];
  return [
    { ...workTarget('unnamed', 'their own'), attributes: ownWork },
    ...OTHERS.map(([owner, label]) => workTarget(owner, label)),
    ...[...new Set(named)]
      .filter((owner) => owner !== EVERYBODY)
      .slice(0, MAX_OWNERS)
      .map((owner) => ({ ...workTarget(owner, `of ${owner}`), family: `of ${owner}` })),
  ];
}

const EVERYBODY = 'everybody';

const OTHERS = [
  ['user:somebody-else', 'of somebody else'],
  ['token:somebody-else', "of somebody else's token"],
  [EVERYBODY, 'of everybody'],
] as const;

function workTarget(owner: string, label: string): Resource {
  const { attrs } = workEntity(owner);
  return {
    resource: reference('Work', owner),
    label,
    family: '',
    capabilities: [],
    attributes: () => attrs,
  };
}

function ownWork({ facts: { principal } }: ProbedPrincipal): ReturnType<Resource['attributes']> {
  return workEntity(`${principal.type.toLowerCase()}:${principal.id}`).attrs;
}
