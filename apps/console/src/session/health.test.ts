import { toJson, create } from '@bufbuild/protobuf';
import { GetHealthResponseSchema, Readiness } from '@palyra/protocol';
import { expect, it } from 'vitest';
import { readHealth } from './health.ts';

const TOLD = {
  readiness: Readiness.READY,
  version: '1.2.3',
  profile: 'local',
  model: 'script',
  workspace: '/work',
  furtherWorkspaces: ['/more'],
  startedAt: '2030-01-01T00:00:00Z',
  journalSequence: 18_446_744_073_709_551_615n,
  residentBytes: 7n,
  missing: [{ name: 'bwrap', reason: 'not there', help: 'install it' }],
};

it('reads what the protocol writes', () => {
  const written = toJson(GetHealthResponseSchema, create(GetHealthResponseSchema, TOLD));
  expect(readHealth(written)).toEqual(TOLD);
});

it('takes what is not there for nothing', () => {
  expect(
    readHealth({ readiness: 'READINESS_FAILED', journalSequence: -1, missing: 'all' }),
  ).toEqual({
    readiness: Readiness.FAILED,
    version: '',
    profile: '',
    model: '',
    workspace: '',
    furtherWorkspaces: [],
    startedAt: '',
    journalSequence: 0n,
    residentBytes: 0n,
    missing: [],
  });
});

it('tells nothing of a state that it does not know', () => {
  for (const value of [undefined, [], 'ready', {}, { readiness: 2 }, { readiness: 'READY' }]) {
    expect(readHealth(value)).toBeUndefined();
  }
});
