import { DEFAULT_LIMITS } from '@palyra/sandbox';
import { describe, expect, it } from 'vitest';
import type { SandboxRequest } from '../sandbox-process.ts';
import { Habits } from './habits.ts';

const COMMAND: SandboxRequest = {
  tier: 'C',
  executable: 'git',
  arguments: ['push'],
  workspace: '/project',
  directory: '.',
  environment: { TOKEN: 'secret' },
  stdin: new TextEncoder().encode('words'),
  limits: DEFAULT_LIMITS,
  egress: { mode: 'strict', hosts: [], secrets: [] },
  principal: 'user:ann',
  session: 'one',
  policySetHash: 'set',
};
const ANN = { principal: 'user:ann', workspace: '/project' };

describe('a run that begins', () => {
  it('expects what the last command of its principal in its folder ran in, and none of its words', () => {
    const habits = new Habits();
    habits.note(COMMAND);
    const { tier, workspace, egress, limits } = COMMAND;
    expect(habits.begin(ANN)).toStrictEqual({ tier, workspace, egress, limits });
  });

  it('expects nothing after one without a command, until there is one again', () => {
    const habits = new Habits();
    expect(habits.begin(ANN)).toBeUndefined();
    habits.note(COMMAND);
    expect(habits.begin(ANN)).toBeDefined();
    expect(habits.begin(ANN)).toBeUndefined();
    expect(habits.begin(ANN)).toBeUndefined();
    habits.note(COMMAND);
    expect(habits.begin(ANN)).toBeDefined();
  });

  it.each([
    ['somebody else', { ...ANN, principal: 'user:bo' }],
    ['another folder', { ...ANN, workspace: '/other' }],
  ])('expects nothing of %s', (_who, run) => {
    const habits = new Habits();
    habits.note(COMMAND);
    expect(habits.begin(run)).toBeUndefined();
    expect(habits.begin(ANN)).toBeDefined();
  });

  it.each([
    ['was in no cage', { ...COMMAND, tier: 'B' as const }],
    [
      'could reach somebody',
      { ...COMMAND, egress: { mode: 'strict' as const, hosts: ['a.example'], secrets: [] } },
    ],
  ])('expects nothing when the command %s', (_how, command) => {
    const habits = new Habits();
    habits.note(command);
    expect(habits.begin(ANN)).toBeUndefined();
  });
});

it('of many who have run commands the newest are remembered', () => {
  const habits = new Habits();
  const people = Array.from({ length: 257 }, (_, place) => `user:${place}`);
  for (const principal of people) habits.note({ ...COMMAND, principal });
  const known = people.filter((principal) => habits.begin({ ...ANN, principal }) !== undefined);
  expect(known).toEqual(people.slice(1));
});
