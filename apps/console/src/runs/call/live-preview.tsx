import { type LiveOutput, textOf } from '../story/output.ts';
import { OutputText } from './output-text.tsx';

const SHOWN_LINES = 8;
/** Looked at for its last lines. */
const LOOKED_AT = 4_096;

/** The last lines of what a command prints right now. */
export function LivePreview({ output }: { readonly output: LiveOutput }) {
  if (output.pieces.length === 0) return null;
  const text = output.pieces.slice(-4).map(textOf).join('').slice(-LOOKED_AT);
  const lines = text.trimEnd().split('\n').slice(-SHOWN_LINES);
  return (
    <div className="border-t border-line px-3 py-2">
      <OutputText label="Output so far" text={lines.join('\n')} />
    </div>
  );
}
