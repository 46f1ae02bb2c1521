import { Role } from '@palyra/protocol';
import type { Gain } from './difference.ts';
import type { Finding } from './finding.ts';
import { STANDINGS } from './principals.ts';

/** Findings that differ only in who gains become one for each group of people that has a name. */
export function statementsOf(findings: readonly Finding[]): readonly Gain[] {
  const groups = Map.groupBy(findings, ({ kind, what }) => `${kind} ${what}`);
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const { kind, what } = first;
    const ruleIds = [...new Set(group.flatMap((finding) => finding.ruleIds))].toSorted();
    const labels = new Set(group.map(({ principal }) => principal));
    return shortest(labels).map((principal) => ({ kind, principal, what, ruleIds }));
  });
}

/** Whoever is an owner is an admin and an operator too. */
const USERS = ['user without a role', 'operator', 'admin', 'owner'];
const TOKENS = [
  'token of a user without a role',
  'token of an operator',
  'token of an admin',
  'token of an owner',
];
const ALL_SCOPES = ' with every scope';
const EVERYBODY = ['user', 'token', 'device', 'agent', 'worker'];

/** Of somebody who is named. */
const RANKS = STANDINGS.filter(({ role }) => role !== Role.UNSPECIFIED).map(({ words }) => words);

function shortest(labels: ReadonlySet<string>): readonly string[] {
  const plain = new Set([...labels].filter((label) => !isCovered(label, labels)));
  const scoped = (rungs: readonly string[]) => rungs.map((label) => `${label}${ALL_SCOPES}`);
  const ladders = [
    { rungs: USERS, every: 'user' },
    { rungs: TOKENS, every: 'token' },
    { rungs: scoped(TOKENS), every: `token${ALL_SCOPES}` },
    ...namesIn(plain).flatMap((name) => {
      const rungs = RANKS.map((words) => `${name}${words}`);
      return [
        { rungs, every: name },
        { rungs: scoped(rungs), every: `${name}${ALL_SCOPES}` },
      ];
    }),
  ];
  const known = new Set(ladders.flatMap(({ rungs }) => rungs));
  const told = ladders.flatMap(({ rungs, every }) => ladder(plain, rungs, every));
  const all = [...told, ...[...plain].filter((label) => !known.has(label))];
  if (EVERYBODY.every((kind) => all.includes(kind))) return ['anyone'];
  return all.filter(
    (label) => label === 'user' || !(label.startsWith('user') && all.includes('user')),
  );
}

/** Of those who are asked for one by one, in every standing. */
function namesIn(labels: ReadonlySet<string>): readonly string[] {
  const names = [...labels].flatMap((label) =>
    RANKS.flatMap((words) => {
      const bare = label.replace(ALL_SCOPES, '');
      return bare.endsWith(words) ? [bare.slice(0, -words.length)] : [];
    }),
  );
  return [...new Set(names)];
}

/**
 * A token with scopes need not be named where one without has gained the same, nor somebody who has no
 * role where they have gained it with one.
 */
function isCovered(label: string, labels: ReadonlySet<string>): boolean {
  const [none, least] = STANDINGS;
  return [label.replace(ALL_SCOPES, ''), label.replace(none.words, least.words)].some(
    (other) => other !== label && labels.has(other),
  );
}

/** From the lowest rung; a rung says nothing that the one below it has not said. */
function ladder(
  labels: ReadonlySet<string>,
  rungs: readonly string[],
  every: string,
): readonly string[] {
  if (rungs.every((rung) => labels.has(rung))) return [every];
  return rungs.filter(
    (rung, place) => labels.has(rung) && !(place > 1 && labels.has(rungs[place - 1] ?? '')),
  );
}
