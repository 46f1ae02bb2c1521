import { appendFileSync, cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { create } from '@bufbuild/protobuf';
import { createApprovals } from '@palyra/approvals';
import { budgetsSection, createBudgets } from '@palyra/budgets';
import { type ApprovalDesk, type Gateway, type GatewayParts, createGateway } from '@palyra/gateway';
import { type Journal, verifyStore } from '@palyra/journal';
import { type SealedEntry, parseId, placesFor } from '@palyra/kernel';
import {
  type ApprovalRecord,
  ApprovalStatus,
  CallPreviewSchema,
  DecisionKind,
  Executor,
  GrantScope,
  PolicyGateSchema,
  Role,
  RunStatus,
  ToolOutcome,
} from '@palyra/protocol';
import { createSessions } from '@palyra/sessions';
import { describe, expect, it } from 'vitest';
import { talkingModel } from './fakes.ts';
import { ownerCaller } from './owner-caller.ts';
import type { TempHome } from './temp-home.ts';
import { type TestGateway, testGateway } from './test-gateway.ts';
import { verifies } from './verifies.ts';

/** Calls back at each moment between two steps of a call, with what comes or came. */
type Moment = (name: string) => void;

/** What the call does to the world: one line for each time it is done. */
const EFFECTS = 'effects';

function effectsIn(home: TempHome): number {
  const file = join(home.path, EFFECTS);
  return existsSync(file) ? readFileSync(file, 'utf8').length : 0;
}

/** One gated call, then a word. Real journal, real approvals, sessions and budgets; the rest is told to be watched. */
function watched(test: TestGateway, moment: Moment): Gateway {
  const journal = watchedJournal(test.journal, moment);
  const { clock, ids, workspace } = test.parts;
  const people = { roleOf: async () => Role.OWNER };
  const records = watchedRecords(test, moment);
  const approvals = createApprovals({ records, people, workspace, clock, ids });
  approvals.watch((record) => void sayYes(approvals, record));
  const parts: GatewayParts = {
    ...test.parts,
    journal,
    approvals,
    approvalDesk: approvals,
    sessions: createSessions({ records, clock, ids }),
    budgets: createBudgets({ records, clock, settings: budgetsSection.parse({}) }),
    model: talkingModel(
      [{ kind: 'tool-call', tool: 'mail.send', argumentsJson: '{"to":"ada"}' }],
      [{ kind: 'text', text: 'sent' }],
    ),
    policy: policyThatAsks(moment),
    sandbox: sandboxWithEffects(test.home, moment),
    attestor: {
      ...test.parts.attestor,
      attest: (facts) => around('evidence', moment, () => test.parts.attestor.attest(facts)),
    },
  };
  return createGateway(parts);
}

/** A question that is answered already, or that this answer closes, changes too. */
async function sayYes(
  desk: ApprovalDesk,
  { approvalId, fingerprint, voices, status }: ApprovalRecord,
) {
  if (voices.length > 0 || status !== ApprovalStatus.PENDING) return;
  const yes = { approvalId, fingerprint, answer: 'granted', reason: '', shape: '' } as const;
  const once = { scope: GrantScope.ONCE, until: undefined, uses: 0 };
  await desk.answer(
    { ...yes, ...once },
    { ...ownerCaller(), role: Role.OWNER, strength: 'device', vouchedBy: [] },
  );
}

function around<Result>(name: string, moment: Moment, step: () => Result): Result {
  moment(`before ${name}`);
  const result = step();
  moment(`after ${name}`);
  return result;
}

function watchedJournal(journal: Journal, moment: Moment): Journal {
  const append: Journal['append'] = async (drafts) => {
    const kinds = drafts.map(({ kind }) => kind).join(', ');
    moment(`before ${kinds}`);
    const entries = await journal.append(drafts);
    moment(`after ${kinds}`);
    return entries;
  };
  return new Proxy(journal, {
    get: (target, name) => (name === 'append' ? append : bound(target, name)),
  });
}

function watchedRecords({ journal }: TestGateway, moment: Moment): Journal['records'] {
  const { records } = journal;
  const transact: typeof records.transact = async (change) => {
    const kinds = change.entries.map(({ kind }) => kind).join(', ');
    moment(`before ${kinds}`);
    const entries = await records.transact(change);
    moment(`after ${kinds}`);
    return entries;
  };
  return new Proxy(records, {
    get: (target, name) => (name === 'transact' ? transact : bound(target, name)),
  });
}

function bound(target: object, name: string | symbol): unknown {
  const value: unknown = Reflect.get(target, name, target);
  return typeof value === 'function' ? value.bind(target) : value;
}

function policyThatAsks(moment: Moment): GatewayParts['policy'] {
  const rest = { help: '', ruleIds: ['asks'], policySetHash: 'set', engine: 'test' };
  const gates = [
    create(PolicyGateSchema, {
      ruleId: 'asks',
      approvers: Role.OPERATOR,
      quorum: 1,
      strength: 'device',
      waitSeconds: 300,
    }),
  ];
  return {
    authorise: async () => {},
    turnAway: async () => {},
    touch: async () => {},
    mayTouch: async () => true,
    mayConnect: async () => false,
    judge: async (_call, approval) =>
      around('a decision', moment, () =>
        approval === undefined
          ? { kind: DecisionKind.NEEDS_APPROVAL, reason: 'a person decides', gates, ...rest }
          : { kind: DecisionKind.ALLOW, reason: 'a person said yes', gates: [], ...rest },
      ),
  };
}

function sandboxWithEffects(home: TempHome, moment: Moment): GatewayParts['sandbox'] {
  const executor = Executor.SANDBOX_TIER_C_LINUX_BUBBLEWRAP;
  return {
    place: async () => ({ tier: 'C', executor }),
    preview: async () => create(CallPreviewSchema, { executor, posture: 'test' }),
    expect: () => {},
    expectRun: () => {},
    execute: async () =>
      around('the execution', moment, () => {
        appendFileSync(join(home.path, EFFECTS), 'x');
        const output = new TextEncoder().encode('sent');
        return { outcome: ToolOutcome.SUCCEEDED, executor, enforcement: 'test', output };
      }),
  };
}

/** Everything that a process leaves behind which is killed at this moment. */
interface Remains {
  readonly moment: string;
  readonly home: TempHome;
}

/** Contract: the copy is made before anything else happens. */
function remainsOf(from: TempHome, moment: string): Remains {
  const path = mkdtempSync(join(tmpdir(), 'palyra-'));
  cpSync(from.path, path, { recursive: true });
  const places = placesFor({ PALYRA_HOME: path });
  if (places === undefined) throw new Error('the temporary directory is not an absolute path');
  const gone = async () => rmSync(path, { recursive: true, force: true });
  return { moment, home: { path, places, [Symbol.asyncDispose]: gone } };
}

async function killedAtEveryMoment(): Promise<readonly Remains[]> {
  await using test = await testGateway();
  const remains: Remains[] = [];
  const gateway = watched(test, (moment) => remains.push(remainsOf(test.home, moment)));
  const run = await gateway.runs.start({ prompt: 'go' }, ownerCaller());
  await ended(run);
  return remains;
}

async function ended(run: { events(signal: AbortSignal): AsyncIterable<unknown> }): Promise<void> {
  for await (const _event of run.events(new AbortController().signal));
}

/** Starts again where the process was killed, and goes on to the end. */
async function afterwards({ home }: Remains) {
  const before = { effects: effectsIn(home), entries: await entriesIn(home) };
  {
    await using test = await testGateway({ home });
    const gateway = watched(test, () => {});
    await gateway.runs.recover();
    // Whoever was asked before the end may answer now.
    const open = await gateway.approvals.list(ApprovalStatus.PENDING, 9);
    for (const record of open) await sayYes(test.parts.approvalDesk, record);
    for (const run of await gateway.runs.list({ limit: 9 }, ownerCaller())) {
      const runId = parseId<'run'>(run.runId);
      if (runId === undefined || run.status !== RunStatus.INTERRUPTED) continue;
      await ended(await gateway.runs.resume(runId, ownerCaller()));
    }
  }
  expect(await verifyStore(home.places)).toMatchObject({ verdict: 'intact' });
  return { before, effects: effectsIn(home), entries: await entriesIn(home) };
}

/** What is reserved of the day, and will never be used. */
async function heldIn(home: TempHome): Promise<number> {
  await using test = await testGateway({ home });
  const leases = await test.journal.records.list('budget_leases', { limit: 9 });
  return leases.length;
}

async function entriesIn(home: TempHome): Promise<readonly SealedEntry[]> {
  await using test = await testGateway({ home });
  return await test.journal.page({ after: 0, limit: 500 });
}

const count = (entries: readonly SealedEntry[], kind: string) =>
  entries.filter((entry) => entry.kind === kind).length;

function outcomeIn(entries: readonly SealedEntry[]): unknown {
  return entries.find(({ kind }) => kind === 'tool.finished')?.payload['outcome'];
}

/** What comes to pass in a gated call, one after the other. */
const MOMENTS = [
  'model.message, tool.proposed',
  'a decision',
  'approval.asked',
  'approval.answered',
  'approval.used',
  'a decision',
  'a decision',
  'tool.decided, tool.started',
  'the execution',
  'evidence',
  'tool.finished, tool.attested',
].flatMap((step) => [`before ${step}`, `after ${step}`]);

/** Both go into one commit, and begin before it: what the run came to, then its end. */
const ENDING = [
  'before budget.changed',
  'before model.message, run.ended',
  'after model.message, run.ended',
  'after budget.changed',
];

/** Likewise. */
const BEGINNING = ['before', 'after'].flatMap((when) => [
  `${when} session.created, run.started`,
  `${when} budget.changed`,
]);

describe('a gateway that is killed between any two steps of a call', () => {
  it(
    'never does the call twice, never forgets it, and its journal tells the truth',
    verifies('runs:nothing-runs-twice', 'runs:killed-anywhere'),
    async () => {
      const all = await killedAtEveryMoment();
      expect(all.map(({ moment }) => moment)).toEqual([...BEGINNING, ...MOMENTS, ...ENDING]);
      for (const remains of all) {
        await using _home = remains.home;
        const { before, effects, entries } = await afterwards(remains);
        const story = { at: remains.moment, effects, outcome: outcomeIn(entries) };
        expect(await heldIn(remains.home), remains.moment).toBe(0);
        const hadRun = count(before.entries, 'run.started') === 1;
        const hadStarted = count(before.entries, 'tool.started') === 1;
        const hadFinished = count(before.entries, 'tool.finished') === 1;
        if (!hadRun) {
          expect(story).toMatchObject({ effects: 0, outcome: undefined });
          continue;
        }
        expect(count(entries, 'tool.finished'), remains.moment).toBe(1);
        expect(count(entries, 'tool.attested'), remains.moment).toBe(1);
        expect(count(entries, 'run.ended'), remains.moment).toBe(1);
        if (hadStarted && !hadFinished) {
          // Nobody can know whether it took effect: it is not done again, and that is said.
          const outcome = 'TOOL_OUTCOME_FAILED';
          expect(story).toMatchObject({ effects: before.effects, outcome });
        } else {
          expect(story).toMatchObject({ effects: 1, outcome: 'TOOL_OUTCOME_SUCCEEDED' });
        }
      }
    },
  );
});
