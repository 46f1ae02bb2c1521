import { describe, expect, it } from 'vitest';
import { VIEW, shownApproval } from '../../testing/approval.ts';
import { recordedTerminal } from '../../testing/recorded-terminal.ts';
import { answerCommands, printApproval } from './approvals.ts';

function shown(approval: ReturnType<typeof shownApproval>, columns?: number): string {
  const { terminal, stdout } = recordedTerminal(columns === undefined ? {} : { columns });
  printApproval(terminal, approval, VIEW);
  return stdout();
}

describe('an approval that is shown', () => {
  it('has the call, who asks why, the time that is left, and the commands that answer', () => {
    expect(shown(shownApproval())).toBe(`approval APPROVAL pending

  tool       process.run
  risk       high: process exec
  command    git push 'a b'
  in folder  src
  reaches    git.example:443
  reads      .
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

  how to answer
    palyra approvals approve APPROVAL
    palyra approvals approve APPROVAL --scope session --shape exact
    palyra approvals approve APPROVAL --scope session --shape command
    palyra approvals deny APPROVAL --reason "…"
`);
  });

  it('hides secrets and shows what would hide itself', () => {
    const text = shown(
      shownApproval({ arguments: { password: 'hunter2', text: 'safe\u001b[2J\nnext' } }),
    );
    expect(text).not.toContain('hunter2');
    expect(text).not.toContain('\u001b');
    expect(text).toContain('    │ password: "[redacted]"\n');
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
