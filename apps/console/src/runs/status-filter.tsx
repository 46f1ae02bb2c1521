import { type Run, RunStatus } from '@palyra/protocol';
import { classes } from '@palyra/ui';
import { statusWord } from './story/words.ts';

const CHOICES: readonly RunStatus[] = [
  RunStatus.UNSPECIFIED,
  RunStatus.ACTIVE,
  RunStatus.QUEUED,
  RunStatus.COMPLETED,
  RunStatus.FAILED,
  RunStatus.CANCELLED,
  RunStatus.INTERRUPTED,
];

export interface StatusFilterProps {
  readonly runs: readonly Run[];
  /** Unspecified: of any status. */
  readonly chosen: RunStatus;
  readonly onChoose: (status: RunStatus) => void;
}

export function StatusFilter({ runs, chosen, onChoose }: StatusFilterProps) {
  return (
    <div role="group" aria-label="Status" className="flex flex-wrap gap-1.5">
      {CHOICES.map((status) => {
        const isAll = status === RunStatus.UNSPECIFIED;
        const count = isAll ? runs.length : runs.filter((run) => run.status === status).length;
        return (
          <button
            key={status}
            type="button"
            aria-pressed={status === chosen}
            onClick={() => onChoose(status)}
            className={classes(
              'inline-flex h-8 items-center gap-1.5 rounded-full border px-3 text-sm',
              status === chosen
                ? 'border-accent bg-accent-tint font-medium text-accent'
                : 'border-line bg-card text-soft hover:border-strong-line hover:text-ink',
            )}
          >
            {isAll ? 'all' : statusWord(status)}
            <span className="text-xs">{count}</span>
          </button>
        );
      })}
    </div>
  );
}
