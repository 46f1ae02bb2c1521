import { visibleText } from '@palyra/kernel';
import { Copy } from './copy.tsx';
import { Clamp } from './clamp.tsx';

export interface CodeBlockProps {
  readonly text: string;
  /** What it is, for those who listen. */
  readonly label?: string;
}

/**
 * Text of a model, a tool or a file as it stands: every invisible character made visible, and no line
 * so long that its end is out of sight. What somebody answers for stands in an ExactText.
 */
export function CodeBlock({ text, label = 'Code' }: CodeBlockProps) {
  return (
    <div className="relative min-w-0 rounded-lg border border-line bg-raised">
      <span className="absolute top-1.5 right-1.5">
        <Copy text={text} label={`Copy ${label}`} />
      </span>
      <Clamp>
        <pre
          tabIndex={0}
          aria-label={label}
          className="p-3 pr-9 text-[0.8125rem] leading-relaxed wrap-anywhere whitespace-pre-wrap"
        >
          {visibleText(text)}
        </pre>
      </Clamp>
    </div>
  );
}
