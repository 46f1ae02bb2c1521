import { DecisionKind, Role } from '@palyra/protocol';
import { describe, expect, it } from 'vitest';
import { createEngine } from '../engine/engine.ts';
import { ruleSetOf } from '../engine/rule-set.fixture.ts';
import { MAX_EVALUATION_MS } from '../engine/stopwatch.ts';
import { askedFor, entryLine, type Recorded } from './recorded.fixture.ts';
import type { BacktestReport } from './report.ts';
import { createTally } from './tally.ts';

const READS =
  '@id("reads") permit (principal, action == Action::"tool.execute", resource == Tool::"fs.read");';
const GATE = `@id("gate") @gate("approval") forbid (principal, action == Action::"tool.execute", resource == Tool::"fs.read")
  unless { context.unattended || (context has approval && context.approval.count >= 1) };`;
const { ALLOW, NEEDS_APPROVAL, DENY } = DecisionKind;
const APPROVAL = {
  approvers: [{ principal: 'user:bob', role: Role.OPERATOR, strength: 'device' as const }],
};
const engine = createEngine();

async function backtested(rules: string, rows: readonly Recorded[]): Promise<BacktestReport> {
  const tally = createTally(await engine.load(await ruleSetOf(rules), 'candidate'));
  for (const row of rows) tally.add(entryLine(row));
  return tally.report();
}

describe('a tally of calls that are decided again', () => {
  const read = askedFor({ tool: 'fs.read' });

  it('counts what stays as it was', async () => {
    const report = await backtested(READS, [
      { id: '1', kind: ALLOW, asked: read },
      { id: '2', kind: DENY, asked: askedFor({ tool: 'fs.write' }) },
    ]);
    expect(report).toMatchObject({
      calls: 2n,
      unchanged: 2n,
      widened: 0n,
      narrowed: 0n,
      changes: [],
    });
  });

  it('takes one evaluation that was too slow for no other call', async () => {
    const took = [0, MAX_EVALUATION_MS + 1, 1];
    let [now, readings] = [0, 0];
    const stopwatch = () => {
      now += readings % 2 === 1 ? (took[Math.floor(readings / 2)] ?? 0) : 0;
      readings += 1;
      return now;
    };
    const slowOnce = createEngine({ stopwatch, tellSlow: () => {} });
    const tally = createTally(await slowOnce.load(await ruleSetOf(READS), 'candidate'));
    for (const id of ['1', '2', '3']) tally.add(entryLine({ id, kind: DENY, asked: read }));
    expect(tally.report()).toMatchObject({ calls: 3n, unchanged: 1n, widened: 2n });
  });

  it('takes no list for a record of the same words', async () => {
    const words = { ...read, context: { ...read.context, secrets: ['a', 'text'] } };
    const record = { ...read, context: { ...read.context, secrets: { a: 'b' } } };
    const report = await backtested(READS, [
      { id: '1', kind: ALLOW, asked: record },
      { id: '2', kind: ALLOW, asked: words },
    ]);
    expect(report).toMatchObject({ unjudged: 1n, unchanged: 1n });
  });

  it('counts apart what does not fit the schema of the candidate, and never as unchanged', async () => {
    const { argumentsSha256: _later, ...context } = read.context;
    const old = { ...read, context };
    const report = await backtested(READS, [
      { id: '1', kind: ALLOW, asked: old },
      { id: '2', kind: DENY, asked: old },
      { id: '3', kind: NEEDS_APPROVAL, gates: ['gate'], asked: old },
      { id: '4', kind: ALLOW, asked: { ...read, context: { ...read.context, earlier: 1 } } },
      { id: '5', kind: ALLOW, asked: read },
    ]);
    expect(report).toMatchObject({
      calls: 5n,
      unjudged: 4n,
      unchanged: 1n,
      widened: 0n,
      narrowed: 0n,
      skipped: 0n,
      changes: [],
    });
  });

  it('judges calls of before and after they tell their workspace', async () => {
    const archive = `@id("archive") forbid (principal, action == Action::"tool.execute", resource)
      when { context has workspace && context.workspace == "/srv/archive" };`;
    const there = { ...read, context: { ...read.context, workspace: '/srv/archive' } };
    const elsewhere = { ...read, context: { ...read.context, workspace: '/srv/shop' } };
    const asked = [read, there, elsewhere];
    const rows = asked.map((one, at) => ({ id: String(at), kind: ALLOW, asked: one }));
    const report = await backtested(READS + archive, rows);
    expect(report).toMatchObject({ unjudged: 0n, unchanged: 2n, narrowed: 1n });
    expect(report.changes).toMatchObject([{ examples: ['1'], ruleIds: ['archive'] }]);
  });

  it('takes a rule that fails for what it is: a denial of the candidate', async () => {
    const fails = `@id("fails") forbid (principal, action == Action::"tool.execute", resource)
      when { context.process.name == "git" };`;
    const report = await backtested(READS + fails, [{ id: '1', kind: ALLOW, asked: read }]);
    expect(report).toMatchObject({ unjudged: 0n, narrowed: 1n });
  });

  it('groups what would be otherwise, with the rules that say so and three examples', async () => {
    const rows = ['1', '2', '3', '4'].map((id) => ({ id, kind: DENY, asked: read }));
    const report = await backtested(READS, [
      ...rows,
      { id: '5', kind: ALLOW, asked: askedFor({ tool: 'x' }) },
    ]);
    expect(report).toMatchObject({ calls: 5n, widened: 4n, narrowed: 1n, others: 0n });
    expect(report.changes).toEqual([
      {
        tool: 'fs.read',
        principal: 'user:ann',
        before: DENY,
        after: ALLOW,
        ruleIds: ['reads'],
        widened: true,
        count: 4n,
        examples: ['1', '2', '3'],
      },
      {
        tool: 'x',
        principal: 'user:ann',
        before: ALLOW,
        after: DENY,
        ruleIds: [],
        widened: false,
        count: 1n,
        examples: ['5'],
      },
    ]);
  });

  it('skips a call about which the rules were not asked', async () => {
    const report = await backtested(READS, [{ id: '1', kind: DENY }]);
    expect(report).toMatchObject({ calls: 1n, skipped: 1n, unchanged: 0n });
  });

  it('takes no notice of what is no decision', async () => {
    const tally = createTally(await engine.load(await ruleSetOf(READS), 'candidate'));
    for (const line of ['', 'no json', '[]', '{"kind":"run.started"}']) tally.add(line);
    expect(tally.report()).toMatchObject({ calls: 0n });
  });

  it('asks about an approved call with its approval', async () => {
    const asked = askedFor({ tool: 'fs.read', approval: APPROVAL });
    const report = await backtested(`${READS}${GATE}`, [{ id: '1', kind: ALLOW, asked }]);
    expect(report).toMatchObject({ unchanged: 1n });
  });

  it('sees that nobody would have been asked for an approval any more', async () => {
    const asked = askedFor({ tool: 'fs.read', approval: APPROVAL });
    const report = await backtested(READS, [{ id: '1', kind: ALLOW, asked }]);
    expect(report.changes).toMatchObject([{ before: NEEDS_APPROVAL, after: ALLOW, widened: true }]);
  });

  const stricter = GATE.replace('@gate', '@quorum("2") @gate').replace('count >= 1', 'count >= 2');

  it('sees that an approval would no longer do, and that another one would', async () => {
    const asked = askedFor({ tool: 'fs.read', approval: APPROVAL });
    const report = await backtested(`${READS}${stricter}`, [{ id: '1', kind: ALLOW, asked }]);
    expect(report).toMatchObject({ unchanged: 0n, widened: 0n, narrowed: 1n });
    expect(report.changes).toMatchObject([
      { before: NEEDS_APPROVAL, after: NEEDS_APPROVAL, ruleIds: ['gate'], widened: false },
    ]);
  });

  it('sees that no approval would do any more', async () => {
    const asked = askedFor({ tool: 'fs.read', approval: APPROVAL });
    const never = '@id("never") forbid (principal, action, resource);';
    const rules = `${READS}${stricter}${never}`;
    const report = await backtested(rules, [{ id: '1', kind: ALLOW, asked }]);
    expect(report.changes).toMatchObject([{ before: ALLOW, after: DENY, widened: false }]);
  });

  it('misses no widening where an approval would no longer do either', async () => {
    const owner = { principal: 'user:bob', role: Role.OWNER, strength: 'passkey' as const };
    const asked = askedFor({ tool: 'fs.read', approval: { approvers: [owner] } });
    const gates = [
      { ruleId: 'gate', approvers: 'ROLE_OWNER', quorum: 1, strength: 'passkey' },
    ] as const;
    const row = { id: '1', kind: ALLOW, gates: [...gates], asked };
    expect(await backtested(`${READS}${stricter}`, [row])).toMatchObject({ widened: 1n });
  });

  it('takes what a person refused for what the rules had said: ask', async () => {
    const row = { id: '1', kind: DENY, gates: ['gate'], ruleIds: ['gate'], asked: read };
    expect(await backtested(`${READS}${GATE}`, [row])).toMatchObject({ unchanged: 1n });
    expect((await backtested(READS, [row])).changes).toMatchObject([
      { before: NEEDS_APPROVAL, after: ALLOW },
    ]);
  });

  it('takes a refusal for the rules own, whatever a rule of that name does in the candidate', async () => {
    const flipped = '@id("no-reads") permit (principal, action, resource);';
    const row = { id: '1', kind: DENY, ruleIds: ['no-reads'], asked: read };
    expect(await backtested(flipped, [row])).toMatchObject({
      unchanged: 0n,
      widened: 1n,
      changes: [{ before: DENY, after: ALLOW, widened: true }],
    });
  });

  it('takes a refusal of a call on record as unattended for what the rules had said: yes', async () => {
    const asked = { ...read, context: { ...read.context, unattended: true } };
    const row = { id: '1', kind: DENY, ruleIds: ['reads'], asked };
    expect(await backtested(READS, [row])).toMatchObject({ unchanged: 1n });
  });

  describe('of which some were approved, or should have been', () => {
    const asks = {
      ruleId: 'gate',
      approvers: 'ROLE_OWNER',
      quorum: 2,
      strength: 'passkey',
    };
    const twoOwners = GATE.replace(
      '@gate',
      '@approvers("owner") @quorum("2") @strength("passkey") @gate',
    ).replace('count >= 1', 'owners >= 2');
    const owners = ['ann', 'bob'].map((name) => ({
      principal: `user:${name}`,
      role: Role.OWNER,
      strength: 'passkey' as const,
    }));
    const approved = askedFor({ tool: 'fs.read', approval: { approvers: owners } });
    const refused = { id: '1', kind: DENY, ruleIds: ['gate'], gates: [asks], asked: read };

    it.each([
      ['refused', refused],
      ['approved', { id: '1', kind: ALLOW, ruleIds: ['reads'], asked: approved }],
      [
        'approved, with its gates on record',
        { id: '1', kind: ALLOW, gates: [asks], asked: approved },
      ],
    ])('sees that less approval would be asked for than for one that was %s', async (_, row) => {
      const weaker = await backtested(`${READS}${GATE}`, [row]);
      expect(weaker).toMatchObject({
        unchanged: 0n,
        widened: 1n,
        changes: [{ before: NEEDS_APPROVAL, after: NEEDS_APPROVAL, widened: true }],
      });
      const same = await backtested(`${READS}${twoOwners}`, [row]);
      expect(same).toMatchObject({ unchanged: 1n, widened: 0n });
    });

    it.each([
      ['role', twoOwners.replace('"owner"', '"admin"').replace('owners >= 2', 'admins >= 2')],
      ['strength', twoOwners.replace('@strength("passkey")', '')],
      ['number', twoOwners.replace('@quorum("2")', '@quorum("1")').replace('>= 2', '>= 1')],
    ])('sees less of their %s', async (_, gate) => {
      expect(await backtested(`${READS}${gate}`, [refused])).toMatchObject({ widened: 1n });
    });
  });

  it('counts an allowed call as unattended only if the candidate says so itself', async () => {
    const asked = { ...read, context: { ...read.context, unattended: true } };
    const report = await backtested(`${READS}${GATE}`, [{ id: '1', kind: ALLOW, asked }]);
    expect(report.changes).toMatchObject([
      { before: ALLOW, after: NEEDS_APPROVAL, widened: false },
    ]);
  });

  it('keeps a thousand groups and counts the rest', async () => {
    const rows = Array.from({ length: 1_002 }, (_, place) => ({
      id: String(place),
      kind: ALLOW,
      asked: askedFor({ tool: `tool-${place}` }),
    }));
    const report = await backtested(READS, rows);
    expect(report.changes).toHaveLength(1_000);
    expect(report).toMatchObject({ narrowed: 1_002n, others: 2n });
  });

  it('tells calls apart by what rules read of them, and only by that', async () => {
    const rules =
      '@id("short") permit (principal, action, resource) when { context.argumentBytes < 10 };';
    const report = await backtested(rules, [
      { id: '1', kind: ALLOW, asked: askedFor({ tool: 'x', run: 'a', argumentBytes: 1 }) },
      { id: '2', kind: ALLOW, asked: askedFor({ tool: 'x', run: 'b', argumentBytes: 1 }) },
      { id: '3', kind: ALLOW, asked: askedFor({ tool: 'x', run: 'a', argumentBytes: 99 }) },
    ]);
    expect(report).toMatchObject({ unchanged: 2n, narrowed: 1n });
  });
});
