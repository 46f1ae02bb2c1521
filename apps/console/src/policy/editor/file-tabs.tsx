import { Plus, Trash2 } from 'lucide-react';
import { Button, classes } from '@palyra/ui';
import type { Draft } from './draft.ts';

export interface FileTabsProps {
  readonly draft: Draft;
  readonly chosen: string;
  readonly onChoose: (name: string) => void;
  readonly onAdd: () => void;
  readonly onRemove: () => void;
}

export function FileTabs({ draft, chosen, onChoose, onAdd, onRemove }: FileTabsProps) {
  return (
    <div role="group" aria-label="Files" className="mb-2 flex flex-wrap items-center gap-1">
      {draft.map(({ name }) => (
        <button
          key={name}
          type="button"
          aria-pressed={name === chosen}
          onClick={() => onChoose(name)}
          className={classes(
            'rounded-lg px-2.5 py-1 font-mono text-sm hover:bg-raised',
            name === chosen ? 'bg-accent-tint text-accent' : 'text-soft',
          )}
        >
          {name}
        </button>
      ))}
      <Button size="small" look="quiet" onClick={onAdd}>
        <Plus size={14} aria-hidden="true" /> File
      </Button>
      {draft.length > 1 ? (
        <Button size="small" look="quiet" onClick={onRemove} aria-label={`Remove ${chosen}`}>
          <Trash2 size={14} aria-hidden="true" />
        </Button>
      ) : null}
    </div>
  );
}
