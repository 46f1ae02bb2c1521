import { X } from 'lucide-react';
import { visibleText } from '@palyra/kernel';
import { Button } from '@palyra/ui';
import { usePeople } from '../app/use-people.ts';
import type { FilterBarProps } from './filter-bar.tsx';
import { type FilterField, kindsIn, setFields, withField, withoutKind } from './filter.ts';
import { choiceWords } from './kind-groups.ts';
import { toLocalField } from './moments.ts';

const NAMES: Readonly<Record<FilterField, string>> = {
  kind: 'Kind',
  actor: 'Actor',
  run: 'Run',
  session: 'Session',
  from: 'From',
  until: 'Until',
  text: 'Text',
};

/** What is filtered by, each with the way to be rid of it. */
export function FilterChips({ filter, onChange }: FilterBarProps) {
  const nameOf = usePeople();
  const kinds = kindsIn(filter);
  const others = setFields(filter).filter(([field]) => field !== 'kind');
  if (kinds.length + others.length === 0) return null;
  return (
    <div role="group" aria-label="Filters in use" className="flex flex-wrap items-center gap-1.5">
      {kinds.map((kind) => (
        <Chip
          key={kind}
          name="Kind"
          value={choiceWords(kind)}
          onRemove={() => onChange(withoutKind(filter, kind))}
        />
      ))}
      {others.map(([field, value]) => (
        <Chip
          key={field}
          name={NAMES[field]}
          value={shownValue(field, field === 'actor' ? nameOf(value) : value)}
          onRemove={() => onChange(withField(filter, field, ''))}
        />
      ))}
      <Button size="small" look="quiet" onClick={() => onChange({})}>
        Clear
      </Button>
    </div>
  );
}

function shownValue(field: FilterField, value: string): string {
  const isMoment = field === 'from' || field === 'until';
  return isMoment ? toLocalField(value).replace('T', ' ') || value : value;
}

interface ChipProps {
  readonly name: string;
  readonly value: string;
  readonly onRemove: () => void;
}

function Chip({ name, value, onRemove }: ChipProps) {
  const shown = visibleText(value, 'one-line');
  return (
    <span className="inline-flex h-7 max-w-full items-center gap-1.5 rounded-full bg-accent-tint pr-1 pl-3 text-xs text-accent">
      <span className="min-w-0 truncate" title={shown}>
        {name}: <span className="font-medium">{shown}</span>
      </span>
      <button
        type="button"
        aria-label={`Remove ${name} ${shown}`}
        onClick={onRemove}
        className="rounded-full p-0.5 hover:bg-card"
      >
        <X size={14} aria-hidden="true" />
      </button>
    </span>
  );
}
