import { KeyHint, classes } from '@palyra/ui';
import type { Command } from './use-commands.ts';

export interface PaletteListProps {
  readonly found: readonly Command[];
  readonly at: number;
  readonly onPoint: (at: number) => void;
  readonly onChoose: (command: Command) => void;
}

/** Keys are heard by the field above it, which keeps the focus. */
export function PaletteList({ found, at, onPoint, onChoose }: PaletteListProps) {
  if (found.length === 0) return <p className="px-3 text-sm text-soft">Nothing is called that.</p>;
  return (
    <div
      id="palette-list"
      role="listbox"
      aria-label="Found"
      tabIndex={-1}
      className="max-h-72 overflow-y-auto"
    >
      {found.map((command, index) => (
        <button
          key={command.name}
          ref={index === at ? reveal : undefined}
          id={`palette-${index}`}
          type="button"
          role="option"
          aria-selected={index === at}
          tabIndex={-1}
          onPointerMove={() => onPoint(index)}
          onClick={() => onChoose(command)}
          className={classes(
            'flex w-full items-center gap-3 rounded-lg px-3 py-2 text-left text-sm',
            index === at && 'bg-accent-tint text-accent',
          )}
        >
          {command.name}
          {command.keys === undefined ? null : (
            <span className="ml-auto">
              <KeyHint keys={command.keys} />
            </span>
          )}
        </button>
      ))}
    </div>
  );
}

function reveal(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: 'nearest' });
}
