import { type ApprovalRecord, ApprovalStatus } from '@palyra/protocol';
import { Badge, type Tone } from '@palyra/ui';
import { outcomeWords } from './standing.ts';

const TONES: Readonly<Record<ApprovalStatus, Tone>> = {
  [ApprovalStatus.UNSPECIFIED]: 'plain',
  [ApprovalStatus.PENDING]: 'wait',
  [ApprovalStatus.GRANTED]: 'good',
  [ApprovalStatus.DENIED]: 'bad',
  [ApprovalStatus.EXPIRED]: 'plain',
  [ApprovalStatus.CANCELLED]: 'plain',
};

export function StatusBadge({ approval }: { readonly approval: ApprovalRecord }) {
  return <Badge tone={TONES[approval.status] ?? 'plain'}>{outcomeWords(approval)}</Badge>;
}

const SEVERITIES: Readonly<Record<string, Tone>> = { critical: 'bad', high: 'bad', medium: 'wait' };

export function SeverityBadge({ severity }: { readonly severity: string }) {
  return <Badge tone={SEVERITIES[severity] ?? 'plain'}>{severity}</Badge>;
}
