import { Clamp } from './clamp.tsx';
import { Copy } from './copy.tsx';
import { piecesOf } from './lookalikes.ts';
import { Marked, MarkWarnings } from './marked.tsx';

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
            <Marked pieces={pieces} />
          </pre>
        </Clamp>
      </div>
      <MarkWarnings pieces={pieces} />
    </div>
  );
}
