import { visibleText } from '@palyra/kernel';
import { Clamp } from './clamp.tsx';
import { classes } from './classes.ts';

/** A unified diff, line by line. Never colour alone: the sign at the beginning stays. */
export function Diff({ text }: { readonly text: string }) {
  const lines = text.replace(/\n$/, '').split('\n');
  return (
    <div className="min-w-0 overflow-hidden rounded-lg border border-line bg-card">
      <Clamp>
        <pre
          tabIndex={0}
          aria-label="Changes"
          className="overflow-x-auto py-2 text-[0.8125rem] leading-relaxed"
        >
          {lines.map((line, index) => (
            // Lines of a diff have no name but their place.
            <span key={index} className={classes('block min-w-max px-3', toneOf(line))}>
              {visibleText(line) || ' '}
            </span>
          ))}
        </pre>
      </Clamp>
    </div>
  );
}

function toneOf(line: string): string {
  if (line.startsWith('+++') || line.startsWith('---')) return 'font-semibold';
  if (line.startsWith('@@')) return 'bg-accent-tint text-accent';
  if (line.startsWith('+')) return 'bg-good-tint text-good';
  if (line.startsWith('-')) return 'bg-bad-tint text-bad';
  return 'text-soft';
}
