import { type Piece, codePoints } from './lookalikes.ts';

/** Text with a mark on whatever hides in it, or passes for something else. */
export function Marked({ pieces }: { readonly pieces: readonly Piece[] }) {
  return pieces.map((piece, place) => (
    // Pieces of a text have no name but their place.
    <Shown key={place} piece={piece} />
  ));
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
    case 'gap':
      return (
        <mark
          title="In place of so many, so that what follows is seen"
          className="rounded bg-wait-tint px-0.5 text-wait"
        >
          ·{piece.text.length} {piece.text.includes('\t') ? 'spaces and tabs' : 'spaces'}·
        </mark>
      );
  }
}

const MOST_NAMED = 8;

/** What the marks of a text mean, in words. */
export function MarkWarnings({ pieces }: { readonly pieces: readonly Piece[] }) {
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
