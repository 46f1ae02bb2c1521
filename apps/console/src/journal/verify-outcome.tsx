import { CircleCheck, CircleX } from 'lucide-react';
import { Link } from '@tanstack/react-router';
import { type ChainFault, type SignedHead, type VerifyReport, visibleText } from '@palyra/kernel';
import { Facts, Problem, When } from '@palyra/ui';
import { KeyNote } from './key-note.tsx';
import type { VerificationState } from './use-verification.ts';

export interface VerifyOutcomeProps {
  readonly state: VerificationState;
  readonly what: 'entry' | 'entries';
  /** After one has gone to the bad entry. */
  readonly onLeave?: () => void;
}

/** What the page has found by itself. */
export function VerifyOutcome({ state, what, onLeave }: VerifyOutcomeProps) {
  switch (state.at) {
    case 'idle':
    case 'running':
      return null;
    case 'failed':
      return <Problem reason={state.reason} />;
    case 'done': {
      const { report, head } = state.proof;
      return report.verdict === 'intact' ? (
        <Intact report={report} head={head} what={what} />
      ) : (
        <Broken fault={report.fault} entries={report.entries} onLeave={onLeave} />
      );
    }
  }
}

interface IntactProps {
  readonly report: Extract<VerifyReport, { verdict: 'intact' }>;
  readonly head: SignedHead | undefined;
  readonly what: 'entry' | 'entries';
}

function Intact({ report, head, what }: IntactProps) {
  const { firstSequence, lastSequence, headHash, keyId } = report;
  const count = report.entries.toLocaleString('en');
  const walked = `${firstSequence.toLocaleString('en')} to ${lastSequence.toLocaleString('en')}`;
  return (
    <div role="status" className="flex flex-col gap-3 rounded-lg bg-good-tint p-4 text-sm">
      <p className="flex items-center gap-2 font-medium text-good">
        <CircleCheck size={17} aria-hidden="true" className="shrink-0" />
        {what === 'entry' ? 'Intact: as it was written' : `Intact: ${count} entries`}
      </p>
      <Facts
        facts={[
          ['Entries', report.entries === 0 ? 'none' : walked],
          ['Last hash', <code className="text-xs wrap-anywhere">{headHash}</code>],
          ...(head === undefined ? [] : [['Signed head', <HeadWords head={head} />] as const]),
          ['Signed by', <code className="text-xs wrap-anywhere">{keyId}</code>],
        ]}
      />
      <KeyNote />
    </div>
  );
}

function HeadWords({ head }: { readonly head: SignedHead }) {
  return (
    <span>
      entry {head.sequence.toLocaleString('en')}, <When at={head.time} />
    </span>
  );
}

interface BrokenProps {
  readonly fault: ChainFault;
  readonly entries: number;
  readonly onLeave: (() => void) | undefined;
}

function Broken({ fault, entries, onLeave }: BrokenProps) {
  const { sequence, reason } = fault;
  const isEntry = sequence > 0;
  return (
    <div role="alert" className="flex flex-col gap-2 rounded-lg bg-bad-tint p-4 text-sm">
      <p className="flex items-center gap-2 font-medium text-bad">
        <CircleX size={17} aria-hidden="true" className="shrink-0" />
        Broken{isEntry ? ` at entry ${sequence.toLocaleString('en')}` : ''}:{' '}
        {visibleText(reason, 'one-line')}
      </p>
      {isEntry && <WayToEntry {...{ sequence, entries, onLeave }} />}
    </div>
  );
}

interface WayToEntryProps extends Pick<BrokenProps, 'entries' | 'onLeave'> {
  readonly sequence: number;
}

function WayToEntry({ sequence, entries, onLeave }: WayToEntryProps) {
  return (
    <p>
      {entries.toLocaleString('en')} {entries === 1 ? 'entry' : 'entries'} before it{' '}
      {entries === 1 ? 'is' : 'are'} good.{' '}
      <Link
        to="/journal/$entryId"
        params={{ entryId: String(sequence) }}
        onClick={onLeave}
        className="text-accent underline"
      >
        Show entry {sequence.toLocaleString('en')}
      </Link>
    </p>
  );
}
