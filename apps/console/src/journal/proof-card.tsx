import { Link } from '@tanstack/react-router';
import { Download } from 'lucide-react';
import { sha256Hex, visibleText } from '@palyra/kernel';
import type { JournalEntry, JournalRecord } from '@palyra/protocol';
import { Badge, Button, Card, CodeBlock, Copy, Facts } from '@palyra/ui';
import { downloadFile } from '../runs/download.ts';
import { VerifyEntry } from './verify-entry.tsx';

export interface ProofCardProps {
  readonly record: JournalRecord;
  readonly entry: JournalEntry;
}

/** The bytes themselves, and what follows from them. */
export function ProofCard({ record, entry }: ProofCardProps) {
  const { canonical, hash } = record;
  const text = new TextDecoder().decode(canonical);
  const own = sha256Hex(canonical);
  const download = () =>
    downloadFile({
      name: `palyra-entry-${entry.sequence}.json`,
      mediaType: 'application/json',
      bytes: canonical,
    });
  return (
    <Card title="Proof">
      <div className="flex flex-col gap-4">
        <Facts
          facts={[
            ['Sequence', String(entry.sequence)],
            ['Hash', <Hash key="hash" hex={own} />],
            ...(own === hash ? [] : [['Claimed', <WrongHash key="claimed" hex={hash} />] as const]),
            ['Previous hash', <PreviousHash key="previous" entry={entry} />],
          ]}
        />
        <p className="text-xs text-soft">
          The hash is SHA-256 over the {canonical.length.toLocaleString('en')} bytes below, computed
          in this page.
        </p>
        <VerifyEntry record={record} entry={entry} />
        <details>
          <summary className="cursor-pointer text-sm font-medium">Raw bytes</summary>
          <div className="mt-3 flex flex-col gap-3">
            <CodeBlock text={text} label="raw bytes" />
            <Button size="small" className="self-start" onClick={download}>
              <Download size={14} aria-hidden="true" />
              Download
            </Button>
          </div>
        </details>
      </div>
    </Card>
  );
}

function Hash({ hex }: { readonly hex: string }) {
  return (
    <span className="inline-flex items-start gap-1">
      <code className="text-xs leading-6 wrap-anywhere">{visibleText(hex, 'one-line')}</code>
      <Copy text={hex} label="Copy hash" />
    </span>
  );
}

function WrongHash({ hex }: { readonly hex: string }) {
  return (
    <span className="flex flex-col items-start gap-1">
      <Hash hex={hex} />
      <Badge tone="bad">the gateway names another hash</Badge>
    </span>
  );
}

const NOTHING_BEFORE = /^0{64}$/;

function PreviousHash({ entry }: { readonly entry: JournalEntry }) {
  const { previousHash, sequence } = entry;
  if (NOTHING_BEFORE.test(previousHash)) return <span>none: this is the first entry</span>;
  return (
    <span className="flex flex-wrap items-start gap-x-2">
      <Hash hex={previousHash} />
      <Link
        to="/journal/$entryId"
        params={{ entryId: String(sequence - 1n) }}
        className="text-xs leading-6 text-accent hover:underline"
      >
        Entry {(sequence - 1n).toLocaleString('en')}
      </Link>
    </span>
  );
}
