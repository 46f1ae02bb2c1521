import { create } from '@bufbuild/protobuf';
import { ApprovalGrantSchema, GrantShapeSchema } from '@palyra/protocol';
import { describe, expect, it } from 'vitest';
import { VIEW, shownApproval } from '../../testing/approval.ts';
import { recordedTerminal } from '../../testing/recorded-terminal.ts';
import { printGrant, shapeWords } from './grants.ts';

const exact = create(ApprovalGrantSchema, {
  grantId: 'GRANT',
  approvalId: 'APPROVAL',
  shape: { tool: 'process.run', argumentsSha256: '0123456789abcdef' },
});

function covers(approvals: Parameters<typeof printGrant>[2]['approvals']): string | undefined {
  const { terminal, stdout } = recordedTerminal();
  printGrant(terminal, exact, { ...VIEW, approvals });
  return /covers +(?<words>.*)/.exec(stdout())?.groups?.['words'];
}

describe('a grant for one exact call', () => {
  it('tells the call, so that nobody has to look a hash up', () => {
    const { approval } = shownApproval();
    expect(covers([approval])).toBe("exactly this call: process.run git push 'a b'");
  });

  it('tells the hash where the question is no longer kept', () => {
    expect(covers([])).toBe('process.run with exactly the arguments 0123456789ab…');
  });
});

describe('a grant for a command', () => {
  it('says that the program may write, though the call only named what it reads', () => {
    const shape = create(GrantShapeSchema, {
      tool: 'process.run',
      executable: 'git',
      argumentPrefix: ['log'],
      directory: '.',
      tier: 'C',
      readsUnder: ['.'],
    });
    expect(shapeWords(shape)).toBe(
      'process.run: `git log` and any further arguments, in `.` or below, in tier C, it may read and write anywhere in the workspace but for protected names, without network',
    );
  });
});
