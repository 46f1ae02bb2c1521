import { type CallPreview, Executor, type NamedFile, SandboxTier } from '@palyra/protocol';
import { Badge, Facts, ShortId, Words } from '@palyra/ui';
import { wordOf } from '../wire/words.ts';
import { inline } from './call-words.ts';

/** Where a call would run, as it was proven when the question was asked. */
export function PlaceView({ preview }: { readonly preview: CallPreview }) {
  const { tier, executor, posture, namedFiles } = preview;
  const facts = [
    ['Runs in', `${tierWord(tier)}, ${wordOf(Executor, executor)}`],
    ['Proven', <Words key="proven" text={inline(posture)} />],
  ] as const;
  return (
    <>
      <Facts facts={facts} />
      {namedFiles.length === 0 ? null : (
        <div>
          <h4 className="mb-1 text-sm text-soft">Files it names</h4>
          <ul className="flex flex-col gap-1 text-sm">
            {namedFiles.map((file) => (
              <BoundFile key={file.name} file={file} />
            ))}
          </ul>
        </div>
      )}
    </>
  );
}

/** What a yes holds for as it is now, and what could be another by the time it runs. */
function BoundFile({ file: { name, sha256, notBound } }: { readonly file: NamedFile }) {
  return (
    <li className="flex flex-wrap items-center gap-x-2 gap-y-0.5">
      <code className="text-[0.8125rem] wrap-anywhere">{inline(name)}</code>
      {notBound === '' ? <Badge tone="good">as it is now</Badge> : null}
      {notBound === '' && sha256 !== '' ? <ShortId id={sha256} /> : null}
      {notBound === '' && sha256 === '' ? <span className="text-soft">a folder</span> : null}
      {notBound === '' ? null : (
        <>
          <Badge tone="wait">not bound</Badge>
          <span className="text-soft">
            <Words text={inline(notBound)} />
          </span>
        </>
      )}
    </li>
  );
}

export function tierWord(tier: SandboxTier): string {
  if (tier === SandboxTier.UNSPECIFIED) return 'no cage';
  return `tier ${wordOf(SandboxTier, tier).toUpperCase()}`;
}
