import { create } from '@bufbuild/protobuf';
import {
  ApprovalStatus,
  ApprovalVoiceSchema,
  CallPreviewSchema,
  ErrorCode,
  Role,
} from '@palyra/protocol';
import { describe, expect, it } from 'vitest';
import { VIEW, shownApproval } from '../../testing/approval.ts';
import { recordedTerminal } from '../../testing/recorded-terminal.ts';
import { answerCommands, approvalLine, printApproval } from './approvals.ts';

function shown(approval: ReturnType<typeof shownApproval>, columns?: number): string {
  const { terminal, stdout } = recordedTerminal(columns === undefined ? {} : { columns });
  printApproval(terminal, approval, VIEW);
  return stdout();
}

describe('an approval that is watched', () => {
  it('tells a yes and that it let its call through apart', () => {
    const { approval } = shownApproval();
    const granted = { ...approval, status: ApprovalStatus.GRANTED };
    const now = '2026-01-01T00:00:20.000Z';
    const { terminal } = recordedTerminal();
    const lines = [approval, granted, { ...granted, usedAt: now, closedAt: now }].map((one) =>
      approvalLine(terminal, one),
    );
    expect(lines).toEqual([
      "2026-01-01 00:00:00  APPROVAL  pending    until 00:05:00  process.run  git push 'a b'",
      "2026-01-01 00:00:00  APPROVAL  granted    process.run  git push 'a b'",
      "2026-01-01 00:00:20  APPROVAL  used       process.run  git push 'a b'",
    ]);
  });
});

describe('an approval that is shown', () => {
  it('has the call, who asks why, the time that is left, and the commands that answer', () => {
    expect(shown(shownApproval())).toBe(`approval APPROVAL pending

  tool       process.run
  risk       high: process exec
  command    git push 'a b'
  in folder  src
  reaches    git.example:443
  reads      .
  runs in    tier C, sandbox tier c linux bubblewrap
  proven     61 attacks refused on 2025-12-31
  by         user:ada, run RUN
  2 arguments
    │ command: "git"
    │ args: ["push","a b"]
  1 rule asks
    ask-first, high: a program is to be run (operator or above)
  asked        2026-01-01 00:00:00 UTC
  left         4:50, until 2026-01-01 00:05:00 UTC; then it is denied
  fingerprint  f00d

  what can be granted
    exact: exactly this call
    command: \`git push\` and more
        in the last 7 days: 2 other calls (1 asked about, 1 denied, 1 in this
          session)
        2025-12-31 12:00:00  asked, denied  git push --force

  how to answer
    palyra approvals approve APPROVAL
    palyra approvals approve APPROVAL --scope session --shape exact
    palyra approvals approve APPROVAL --scope session --shape command
    palyra approvals deny APPROVAL --reason "…"
`);
  });

  it('tells who answered, and who let in the device that they answered with', () => {
    const { approval, offers } = shownApproval();
    const said = (vouchedBy: string[]) => {
      const answer = ApprovalStatus.GRANTED;
      const voice = { principal: 'user:bob', role: Role.ADMIN, channel: 'cli', answer, vouchedBy };
      const voices = [create(ApprovalVoiceSchema, voice)];
      return shown({ approval: { ...approval, voices }, offers }, 200);
    };
    expect(said([])).toMatch(/granted +by user:bob, admin, through cli, /);
    expect(said(['user:ada'])).toContain('through cli (let in by user:ada), ');
    expect(said(['anybody'])).toContain('through cli (nobody knows who let in that device), ');
  });

  it('shows the change behind a mark, in visible characters, and says what is left out', () => {
    const { approval, offers } = shownApproval();
    const preview = create(CallPreviewSchema, {
      changes: [{ path: 'a.md', beforeSha256: 'aa', afterSha256: 'bb' }],
      diff: `--- a/a.md\n+++ b/a.md\n-old\n+pay\u200bpal${'\n+x'.repeat(500)}`,
      diffBytesLeftOut: 2048,
    });
    const text = shown({ approval: { ...approval, preview }, offers });
    expect(text).toContain('  1 file would change\n    │ --- a/a.md\n');
    expect(text).toContain('    │ +pay\\u{200b}pal\n');
    expect(text).toContain('104 lines and 2.0 KiB more; the arguments have all of it');
    expect(text).toContain('runs in    no cage');
  });

  it('says which files a yes is bound to, and which it is not', () => {
    const { approval, offers } = shownApproval();
    const preview = create(CallPreviewSchema, {
      namedFiles: [
        { name: 'build.sh', sha256: 'ab'.repeat(32) },
        { name: 'src', facts: 'all in it' },
        { name: 'hu\u200bge', facts: 'size 1', notBound: 'it is too large to be read' },
      ],
    });
    const text = shown({ approval: { ...approval, preview }, offers });
    expect(text).toContain('names      build.sh, as it is now: sha256 abababababababab…\n');
    expect(text).toContain('names      src, as it is now: a folder\n');
    expect(text).toContain('not bound  hu\\u{200b}ge: it is too large to be read\n');
  });

  it('says when the call would fail as things are', () => {
    const { approval, offers } = shownApproval();
    const refusal = { code: ErrorCode.TOOL_FAILED, message: '`a` is there already', help: '' };
    const preview = create(CallPreviewSchema, { refusal });
    expect(shown({ approval: { ...approval, preview }, offers })).toContain(
      '  as things are, it would fail: `a` is there already\n',
    );
  });

  it('says where the passkey is shown that a rule wants', () => {
    const { approval, offers } = shownApproval();
    const gates = approval.gates.map((gate) => ({ ...gate, strength: 'passkey' }));
    expect(shown({ approval: { ...approval, gates }, offers })).toMatch(
      /with a\s+passkey,\s+in the\s+console/,
    );
  });

  it('does not call a program without a cage one without network', () => {
    const process = { executable: 'curl', tier: 'B', environment: ['HTTPS_PROXY'] };
    const text = shown(shownApproval({ facts: { process } }));
    expect(text).toContain('reaches    nobody by name; tier B holds it to nothing\n');
    expect(text).toContain('sets       HTTPS_PROXY\n');
  });

  it('is exact, secrets included, and shows what would hide itself', () => {
    const process = { executable: 'mysql', arguments: ['-phunter2'], directory: '.' };
    const text = shown(
      shownApproval({
        arguments: { password: 'hunter2', text: 'safe\u001b[2J\nnext' },
        facts: { process },
      }),
    );
    expect(text).not.toContain('\u001b');
    expect(text).toContain('  command    mysql -phunter2\n');
    expect(text).toContain('    │ password: "hunter2"\n');
    expect(text).toContain('        │ safe\\u{001b}[2J\n        │ next\n');
  });

  it('lets no value pass for a line of ours, however long its words are', () => {
    // No-break spaces: a terminal would wrap this by itself, with a new line of the model's choice.
    const spoof = `x${'\u00a0'.repeat(200)}reaches\u00a0no\u00a0network`;
    const process = { executable: 'sh', arguments: [spoof], directory: '.' };
    const text = shown(
      shownApproval({ arguments: { command: 'sh', args: [spoof] }, facts: { process } }),
      60,
    );
    for (const line of text.split('\n').filter((each) => !each.includes('palyra approvals'))) {
      expect(line.length).toBeLessThanOrEqual(60);
    }
    const spoofed = text.split('\n').filter((line) => line.includes('reaches\u00a0'));
    expect(spoofed.map((line) => line.slice(0, 10))).toEqual([' '.repeat(10), '    │     ']);
  });

  it('offers no lease where several people have to say yes', () => {
    expect(answerCommands(shownApproval({}, 2), 'work')).toEqual([
      'palyra approvals approve APPROVAL --gateway work',
      'palyra approvals deny APPROVAL --gateway work --reason "…"',
    ]);
  });
});
