import type { Gain } from './difference.ts';
import type { Finding } from './finding.ts';

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

function shortest(labels: ReadonlySet<string>): readonly string[] {
  const plain = new Set([...labels].filter((label) => !isCovered(label, ALL_SCOPES, labels)));
  const users = ladder(plain, USERS, 'user');
  const tokens = [
    ...ladder(plain, TOKENS, 'token'),
    ...ladder(
      plain,
      TOKENS.map((label) => `${label}${ALL_SCOPES}`),
      `token${ALL_SCOPES}`,
    ),
  ];
  const known = new Set([...USERS, ...TOKENS, ...TOKENS.map((label) => `${label}${ALL_SCOPES}`)]);
  const rest = [...plain].filter((label) => !known.has(label));
  const all = [...users, ...tokens, ...rest];
  if (EVERYBODY.every((kind) => all.includes(kind))) return ['anyone'];
  return all.filter(
    (label) => label === 'user' || !(label.startsWith('user') && all.includes('user')),
  );
}

/** A token with scopes need not be named where one without has gained the same. */
function isCovered(label: string, suffix: string, labels: ReadonlySet<string>): boolean {
  return label.endsWith(suffix) && labels.has(label.slice(0, -suffix.length));
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
