import { create } from '@bufbuild/protobuf';
import type { PolicyStanding } from '@palyra/gateway';
import {
  AuthorityState,
  AuthoritySchema,
  CheckResult,
  GetPolicyResponseSchema,
} from '@palyra/protocol';
import { type TempHome, type TestGateway, tempHome, testGateway } from '@palyra/testkit';
import { expect, it } from 'vitest';
import { loadSettings } from '../sections.ts';
import { examine } from './check.ts';
import { type DaemonOrgans, daemonChecks } from './daemon.ts';
import { createDoctorDesk } from './doctor-desk.ts';

const NOW = new Date('2026-11-16T12:00:00Z');
const RULES: PolicyStanding = { mode: 'ask', policySetHash: 'abcdef0123', rules: 9, problems: [] };

async function found(check: string, ill: Partial<DaemonOrgans> = {}) {
  await using home = await tempHome();
  await using test = await testGateway({ home });
  const findings = await examine(daemonChecks(organsOf(home, test, ill)));
  return findings.find((finding) => finding.check === check);
}

/** Of a daemon that is well, but for what the test says. */
function organsOf(home: TempHome, test: TestGateway, ill: Partial<DaemonOrgans>): DaemonOrgans {
  const { places } = home;
  const readSettings = () => loadSettings({ places, environment: {}, workspaceDir: home.path }, {});
  return {
    clock: { ...test.parts.clock, now: () => NOW },
    readiness: { fault: undefined },
    journal: { tip: () => ({ sequence: 0, hash: '' }), find: async () => undefined },
    loopDelay: { read: () => ({ p50Ms: 0, p99Ms: 3 }) },
    policyDesk: { show: async () => create(GetPolicyResponseSchema), health: () => RULES },
    modelDesk: { list: () => [] },
    identity: test.parts.identity,
    site: { find: async () => undefined },
    settings: readSettings(),
    readSettings,
    ...ill,
  };
}

function authorityUntil(notAfter: string) {
  const active = create(AuthoritySchema, { state: AuthorityState.ACTIVE, notAfter });
  const none = () => Promise.reject(new Error('nobody asked'));
  return {
    authorities: {
      list: async () => [active],
      notMoved: async () => [],
      rotate: none,
      endRetiring: none,
      serverCredentials: none,
    },
  };
}

it.each([
  ['store', { readiness: { fault: 'JOURNAL_UNWRITABLE' } }, 'failed'],
  ['event loop', { loopDelay: { read: () => ({ p50Ms: 9, p99Ms: 900 }) } }, 'warning'],
  ['certificates', { identity: authorityUntil('2026-12-01T00:00:00Z') }, 'warning'],
  ['certificates', { identity: authorityUntil('2026-11-01T00:00:00Z') }, 'failed'],
  ['certificates', { identity: authorityUntil('2036-11-01T00:00:00Z') }, 'ok'],
  ['console', {}, 'warning'],
  ['model', {}, 'failed'],
  ['rules', {}, 'ok'],
  ['configuration', {}, 'ok'],
] as const)('%s with %j is %s', async (check, ill, result) => {
  expect(await found(check, ill)).toMatchObject({ result });
});

it('a daemon that cannot write says so wherever the journal is looked at', async () => {
  await using home = await tempHome();
  await using test = await testGateway({ home });
  const organs = organsOf(home, test, { readiness: { fault: 'JOURNAL_UNWRITABLE' } });
  const verdicts = { known: () => ({ isProving: false }) };
  const desk = createDoctorDesk({ ...organs, places: home.places, environment: {}, verdicts });
  const findings = await desk.examine();
  for (const check of ['journal writable', 'store']) {
    expect(findings.find((finding) => finding.check === check)).toMatchObject({
      result: CheckResult.FAILED,
      detail: 'the journal cannot be written, so no tool runs',
      fix: 'free disk space or mend the disk, then start the daemon again',
    });
  }
});

it('rules that were refused are told, and that none could be taken is worse', async () => {
  const show = async () => create(GetPolicyResponseSchema);
  const problems = ['operator/team.cedar:3:9: no such tool'];
  const policyDesk = { show, health: () => ({ ...RULES, problems }) };
  expect(await found('rules', { policyDesk })).toMatchObject({
    result: 'warning',
    detail: '9 in mode ask, abcdef01; not taken: operator/team.cedar:3:9: no such tool',
  });
  const closed = { show, health: () => ({ ...RULES, mode: 'closed', rules: 0 }) };
  expect(await found('rules', { policyDesk: closed })).toMatchObject({ result: 'failed' });
});

it('a clock behind the last entry of the journal is wrong', async () => {
  await using test = await testGateway();
  const [entry] = await test.journal.append([
    { kind: 'daemon.stopped', actor: 'gateway', payload: {} },
  ]);
  if (entry === undefined) throw new Error('an appended entry is there');
  const last = { ...entry, time: '2026-11-16T13:00:00.000Z' };
  const journal = { tip: () => ({ sequence: 1, hash: '' }), find: async () => last };
  expect(await found('clock', { journal })).toMatchObject({
    result: 'failed',
    detail: '2026-11-16T12:00:00.000Z is 3600 s before the last entry of the journal',
  });
});

it('a setting that was changed since the start is named', async () => {
  await using home = await tempHome();
  const around = { places: home.places, environment: {}, workspaceDir: home.path };
  const readSettings = () => loadSettings(around, { 'runs.max_turns': '3' });
  expect(await found('configuration', { readSettings })).toMatchObject({
    result: 'warning',
    detail: 'valid, but not in force yet: `runs.max_turns`',
    fix: 'start the daemon again',
  });
});
