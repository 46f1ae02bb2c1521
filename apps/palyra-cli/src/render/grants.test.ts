import { create } from '@bufbuild/protobuf';
import { ApprovalGrantSchema } from '@palyra/protocol';
import { describe, expect, it } from 'vitest';
import { VIEW, shownApproval } from '../../testing/approval.ts';
import { recordedTerminal } from '../../testing/recorded-terminal.ts';
import { printGrant } from './grants.ts';

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
