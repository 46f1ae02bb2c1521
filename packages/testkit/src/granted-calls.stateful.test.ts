import { type ApprovalRecord, DecisionKind, GrantScope, Role } from '@palyra/protocol';
import { describe, expect, it } from 'vitest';
import { GIT, call, openRules } from './approvals-and-rules.fixture.ts';
import { talkingModel } from './fakes.ts';
import { ownerCaller } from './owner-caller.ts';

type Ground = Awaited<ReturnType<typeof openRules>>;
const HOUR_MS = 3_600_000;

/** A model that asks for the same call in every run. */
function asking(runs: number) {
  return talkingModel(...Array.from({ length: runs }, () => [[call(GIT)], []]).flat());
}

async function grant(at: Ground, { approvalId, fingerprint }: ApprovalRecord, uses: number) {
  const answer = { approvalId, fingerprint, answer: 'granted', reason: '', shape: '' } as const;
  const until = new Date(Date.now() + HOUR_MS);
  const { principal, actor } = at.asker;
  await at.approvals.answer(
    { ...answer, scope: GrantScope.UNTIL, until, uses },
    { principal, actor, role: Role.OWNER, strength: 'device', channel: 'cli', vouchedBy: [] },
  );
}

/** The kinds of each commit, without those that tell of records. */
function commitsOf({ journal }: Ground) {
  const commits: string[] = [];
  journal.subscribe((entries) => {
    const kinds = entries.map(({ kind }) => kind).filter((kind) => kind !== 'records.changed');
    commits.push(kinds.join(', '));
  });
  return commits;
}

const nobodyAsked = async () => expect.fail('somebody was asked');

describe('a call that a grant covers', () => {
  it('is decided in one commit with the use of the grant, and runs after it', async () => {
    await using at = await openRules({ model: asking(2) });
    await at.run((record) => grant(at, record, 5));
    const commits = commitsOf(at);
    const [decision] = await at.run(nobodyAsked);
    expect(decision).toMatchObject({ kind: DecisionKind.ALLOW });
    expect(commits.slice(1, 4)).toEqual([
      'model.message, tool.proposed',
      'grant.used, approval.used, tool.decided, tool.started',
      'tool.finished, tool.attested',
    ]);
    expect(at.sandbox.requests).toHaveLength(2);
    expect(await at.approvals.grants()).toMatchObject([{ uses: 1, usesLeft: 4 }]);
  });

  it('is told with the grant and the calls that are left of it', async () => {
    await using at = await openRules({ model: asking(2) });
    await at.run((record) => grant(at, record, 5));
    const notes: unknown[] = [];
    at.journal.subscribe((entries) => {
      for (const { kind, payload } of entries) if (kind === 'approval.used') notes.push(payload);
    });
    await at.run(nobodyAsked);
    const [given] = await at.approvals.grants();
    expect(notes).toMatchObject([{ grantId: given?.grantId, grantUsesLeft: 4 }]);
  });

  it('is refused, on record with the use, where the rules say no to whoever gave the grant', async () => {
    const own = ownerCaller().principal;
    const rule = `@id("not-ones-own")\n@says("somebody else has to say yes")\nforbid (principal, action == Action::"tool.execute", resource)\nwhen { context has approval && context.approval.approvers.contains("${own}") };\n`;
    await using at = await openRules({ rule, model: asking(2) });
    await at.run((record) => grant(at, record, 5));
    const commits = commitsOf(at);
    const [decision] = await at.run(nobodyAsked);
    expect(decision).toMatchObject({ kind: DecisionKind.DENY, ruleIds: ['not-ones-own'] });
    expect(commits).toContain('grant.used, approval.used, tool.decided');
    expect(at.sandbox.requests).toEqual([]);
  });

  it('is asked about when the grant was taken back while it was decided, and nothing ran by it', async () => {
    await using at = await openRules({ model: asking(2) });
    await at.run((record) => grant(at, record, 5));
    let looks = 0;
    const { place } = at.sandbox;
    at.sandbox.place = async () => {
      looks += 1;
      // The first look is before anybody is asked, the second before the grant is used.
      if (looks === 2) {
        const [given] = await at.approvals.grants();
        await at.approvals.revoke(given?.grantId ?? '', at.asker);
      }
      return await place();
    };
    const ranWhenAsked: number[] = [];
    await at.run(async (record) => {
      ranWhenAsked.push(at.sandbox.requests.length);
      await at.yes(record);
    });
    expect(ranWhenAsked).toEqual([1]);
    expect(at.sandbox.requests).toHaveLength(2);
  });

  it('does not run twice by its last use', async () => {
    await using at = await openRules({ model: asking(3) });
    await at.run((record) => grant(at, record, 1));
    const asked: string[] = [];
    const run = () =>
      at.run(async (record) => {
        asked.push(record.approvalId);
        await at.yes(record);
      });
    await Promise.all([run(), run()]);
    expect(asked).toHaveLength(1);
    expect(await at.approvals.grants()).toEqual([]);
    expect(at.sandbox.requests).toHaveLength(3);
  });
});
