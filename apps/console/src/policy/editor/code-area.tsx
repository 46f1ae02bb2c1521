import { type Ref, useRef } from 'react';
import { CedarText } from '../cedar-text.tsx';

export interface CodeAreaProps {
  readonly label: string;
  readonly text: string;
  readonly onChange: (text: string) => void;
  readonly ref?: Ref<HTMLTextAreaElement>;
}

const SHAPE =
  'm-0 h-full w-full overflow-auto p-3 font-mono text-[0.8125rem] leading-relaxed whitespace-pre';

/** The browser's own field, whose letters cannot be seen, over the same text in colours. */
export function CodeArea({ label, text, onChange, ref }: CodeAreaProps) {
  const colours = useRef<HTMLPreElement>(null);
  return (
    <div className="relative h-96 rounded-lg border border-strong-line/60 bg-card focus-within:outline-2 focus-within:outline-accent">
      <pre
        ref={colours}
        aria-hidden="true"
        className={`${SHAPE} pointer-events-none absolute inset-0`}
      >
        <CedarText source={text} />
        {'\n'}
      </pre>
      <textarea
        ref={ref}
        aria-label={label}
        spellCheck={false}
        autoCapitalize="off"
        value={text}
        onChange={({ target }) => onChange(target.value)}
        onScroll={({ currentTarget: { scrollTop, scrollLeft } }) =>
          colours.current?.scrollTo(scrollLeft, scrollTop)
        }
        className={`${SHAPE} absolute inset-0 resize-none bg-transparent text-transparent caret-ink outline-none`}
      />
    </div>
  );
}
