import { byteWords, plural } from '@palyra/client';
import type { CallPreview } from '@palyra/protocol';
import { Diff, Words } from '@palyra/ui';
import { inline } from './call-words.ts';

/** What a call would change: no other change is made, whatever becomes of the files meanwhile. */
export function ChangeView({ preview }: { readonly preview: CallPreview }) {
  const { changes, diff, diffBytesLeftOut, refusal } = preview;
  return (
    <>
      {refusal === undefined ? null : (
        <p className="rounded-lg bg-bad-tint px-3 py-2 text-sm text-bad">
          As things are, it would fail: <Words text={inline(refusal.message)} />
          {refusal.help === '' ? null : <Words text={`; ${inline(refusal.help)}`} />}
        </p>
      )}
      {changes.length === 0 ? null : (
        <>
          <p className="text-sm text-soft">
            {plural(changes.length, 'file')} would change:{' '}
            {changes.map(({ path }) => inline(path)).join(', ')}
          </p>
          {diff === '' ? null : <Diff text={diff} />}
          {diffBytesLeftOut === 0 ? null : (
            <p className="text-sm font-medium text-wait">
              {byteWords(diffBytesLeftOut)} of the diff are left out at its end; the arguments have
              all of it.
            </p>
          )}
        </>
      )}
    </>
  );
}

export function hasChange(preview: CallPreview | undefined): preview is CallPreview {
  return preview !== undefined && (preview.changes.length > 0 || preview.refusal !== undefined);
}
