import { byteWords, limitWords } from '@palyra/client';
import { Link } from '@tanstack/react-router';
import { Download } from 'lucide-react';
import { toHex } from '@palyra/kernel';
import {
  DecisionKind,
  Executor,
  type GetAttestationResponse,
  type ToolAttestation,
  ToolOutcome,
} from '@palyra/protocol';
import { Button, type Fact, Facts, ShortId, When } from '@palyra/ui';
import { inline } from '../../approvals/call-words.ts';
import { Answer } from '../../wire/answer.tsx';
import { gateway } from '../../wire/gateway.ts';
import { useAsk } from '../../wire/use-ask.ts';
import { wordOf } from '../../wire/words.ts';
import { downloadFile } from '../download.ts';

/** What was signed about one call. */
export function AttestationView({ callId }: { readonly callId: string }) {
  const record = useAsk(['runs', 'attestation', callId], (signal) =>
    gateway.runs.getAttestation({ callId }, { signal }),
  );
  return (
    <Answer of={record} lines={8}>
      {(data) => <SignedRecord record={data} callId={callId} />}
    </Answer>
  );
}

interface SignedRecordProps {
  readonly record: GetAttestationResponse;
  readonly callId: string;
}

function SignedRecord({ record, callId }: SignedRecordProps) {
  const { attestation, envelope, entryId } = record;
  if (attestation === undefined) return null;
  const download = () =>
    downloadFile({
      name: `${callId}.intoto.json`,
      mediaType: 'application/vnd.in-toto+json',
      bytes: envelope,
    });
  return (
    <div className="flex flex-col gap-3">
      <Facts facts={factsOf(attestation)} />
      <div className="flex flex-wrap gap-2">
        <Button size="small" onClick={download}>
          <Download size={14} aria-hidden="true" />
          Envelope
        </Button>
        <Link
          to="/journal/$entryId"
          params={{ entryId }}
          className="inline-flex h-8 items-center rounded-lg border border-line px-2.5 text-sm font-medium hover:border-strong-line hover:bg-raised"
        >
          Entry {String(record.sequence)} of the journal
        </Link>
      </div>
    </div>
  );
}

function factsOf(attestation: ToolAttestation): readonly Fact[] {
  const { ruleIds, exitCode, exitSignal, limits, egressHosts, egressHostsAreCut } = attestation;
  const said = (name: string, text: string): readonly Fact[] =>
    text === '' ? [] : [[name, inline(text)]];
  const hash = (name: string, id: string): readonly Fact[] =>
    id === '' ? [] : [[name, <ShortId key={name} id={id} />]];
  const exit = exitSignal === '' ? codeWords(exitCode) : exitSignal;
  return [
    ['Decision', wordOf(DecisionKind, attestation.decision)],
    ...said('Rules', ruleIds.join(', ')),
    ...hash('Policy set', attestation.policySetHash),
    ...hash('Approval', attestation.approvalId),
    ...hash('Proposal', attestation.fingerprint),
    ['Outcome', wordOf(ToolOutcome, attestation.outcome)],
    ['Executor', wordOf(Executor, attestation.executor)],
    ...said('Enforcement', attestation.sandboxEnforcement),
    ...said('Exit', exit),
    ...said('Limits', limitWords(limits)),
    ...said('Reached', `${egressHosts.join(', ')}${egressHostsAreCut ? ' and more' : ''}`),
    ...hash('Output', attestation.executionSha256),
    ['Size', byteWords(attestation.resultBytes)],
    ['Started', <When key="started" at={attestation.startedAt} />],
    ['Ended', <When key="ended" at={attestation.endedAt} />],
    ...hash('Written after', attestation.previousHash),
    ...hash('Signed by', attestation.keyId),
    ...hash('Signature', toHex(new Uint8Array(attestation.signature))),
  ];
}

function codeWords(exitCode: number | undefined): string {
  return exitCode === undefined ? '' : `code ${exitCode}`;
}
