import { Clamp, Copy } from '@palyra/ui';
import { type Piece, codePoints, piecesOf } from './lookalikes.ts';

export interface ExactTextProps {
  readonly text: string;
  /** What it is, for those who listen. */
  readonly label: string;
}

/** Text that somebody answers for: whatever hides in it, or passes for something else, is marked. */
export function ExactText({ text, label }: ExactTextProps) {
  const pieces = piecesOf(text);
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      <div className="relative min-w-0 rounded-lg border border-line bg-raised">
        <span className="absolute top-1 right-1">
          <Copy text={text} label={`Copy ${label}`} />
        </span>
        <Clamp>
          <pre
            tabIndex={0}
            aria-label={label}
            className="overflow-x-auto px-2.5 py-1.5 pr-9 text-[0.8125rem] leading-relaxed wrap-anywhere whitespace-pre-wrap"
          >
            {pieces.map((piece, place) => (
              // Pieces of a text have no name but their place.
              <Shown key={place} piece={piece} />
            ))}
          </pre>
        </Clamp>
      </div>
      <Warnings pieces={pieces} />
    </div>
  );
}

function Shown({ piece }: { readonly piece: Piece }) {
  switch (piece.is) {
    case 'plain':
      return piece.text;
    case 'hidden':
      return (
        <mark title="It would not be seen" className="rounded bg-bad-tint px-0.5 text-bad">
          {piece.text}
        </mark>
      );
    case 'lookalike':
      return (
        <mark title={`Looks like ${piece.like}`} className="rounded bg-wait-tint px-0.5 text-wait">
          {piece.text}
          <span className="ml-0.5 text-[0.6875rem]">[{codePoints(piece.text)}]</span>
        </mark>
      );
  }
}

const MOST_NAMED = 8;

function Warnings({ pieces }: { readonly pieces: readonly Piece[] }) {
  const hidden = pieces.filter(({ is }) => is === 'hidden').length;
  const alike = new Set(
    pieces.flatMap((piece) =>
      piece.is === 'lookalike' ? [`${codePoints(piece.text)} looks like ${piece.like}`] : [],
    ),
  );
  const named = [...alike].slice(0, MOST_NAMED).join(', ');
  const more = alike.size > MOST_NAMED ? ` and ${alike.size - MOST_NAMED} more` : '';
  return (
    <>
      {hidden === 0 ? null : (
        <p className="text-xs font-medium text-bad">
          {hidden === 1 ? 'A character hides in it' : `${hidden} characters hide in it`}; here they
          are shown by their numbers.
        </p>
      )}
      {alike.size === 0 ? null : (
        <p className="text-xs font-medium text-wait">
          Not what it seems: {named}
          {more}.
        </p>
      )}
    </>
  );
}
