import { Clamp } from './clamp.tsx';
import { classes } from './classes.ts';
import { type DiffLine, diffLines } from './diff-lines.ts';
import { piecesOf } from './lookalikes.ts';
import { Marked, MarkWarnings } from './marked.tsx';

/**
 * A unified diff, line by line. Never colour alone: the sign at the beginning stays. Long lines are
 * wrapped, further in than their sign, so that nothing lies out of sight or passes for another line.
 */
export function Diff({ text }: { readonly text: string }) {
  const lines = diffLines(text).map(({ is, text: line }) => ({ is, pieces: piecesOf(line) }));
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      <div className="min-w-0 overflow-hidden rounded-lg border border-line bg-card">
        <Clamp>
          <pre
            tabIndex={0}
            aria-label="Changes"
            className="py-2 text-[0.8125rem] leading-relaxed wrap-anywhere whitespace-pre-wrap"
          >
            {lines.map(({ is, pieces }, index) => (
              // Lines of a diff have no name but their place.
              <span key={index} className={classes('block pr-3 pl-[5ch] -indent-[3ch]', TONES[is])}>
                {pieces.length === 0 ? ' ' : <Marked pieces={pieces} />}
              </span>
            ))}
          </pre>
        </Clamp>
      </div>
      <MarkWarnings pieces={lines.flatMap(({ pieces }) => pieces)} />
    </div>
  );
}

const TONES = {
  header: 'font-semibold',
  place: 'bg-accent-tint text-accent',
  added: 'bg-good-tint text-good',
  removed: 'bg-bad-tint text-bad',
  same: 'text-soft',
} as const satisfies Record<DiffLine['is'], string>;
