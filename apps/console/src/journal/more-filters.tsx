import { useState } from 'react';
import { Button, Field, Input } from '@palyra/ui';
import type { FilterBarProps } from './filter-bar.tsx';
import { type JournalFilter, readFilter } from './filter.ts';
import { fromLocalField, toLocalField } from './moments.ts';

/** Whatever is seldom filtered by. Nothing is asked for before all of it stands there. */
export function MoreFilters({ filter, onChange }: FilterBarProps) {
  const [draft, setDraft] = useState<JournalFilter>(filter);
  const edit = (change: JournalFilter) => setDraft({ ...draft, ...change });
  return (
    <form
      className="grid grid-cols-1 gap-3 rounded-card border border-line bg-card p-4 sm:grid-cols-2 lg:grid-cols-3"
      onSubmit={(event) => {
        event.preventDefault();
        onChange(readFilter({ ...draft }));
      }}
    >
      <TextField label="Run" value={draft.run} onChange={(run) => edit({ run })} />
      <TextField label="Session" value={draft.session} onChange={(session) => edit({ session })} />
      <MomentField label="From" value={draft.from} onChange={(from) => edit({ from })} />
      <MomentField label="Until" value={draft.until} onChange={(until) => edit({ until })} />
      <TextField
        label="Actor"
        value={draft.actor}
        placeholder="gateway, or user:01J…"
        onChange={(actor) => edit({ actor })}
      />
      <div className="flex items-end justify-end">
        <Button look="main" type="submit">
          Show
        </Button>
      </div>
    </form>
  );
}

interface FilterFieldProps {
  readonly label: string;
  readonly value: string | undefined;
  readonly placeholder?: string;
  readonly onChange: (value: string) => void;
}

function TextField({ label, value = '', placeholder = 'Its id', onChange }: FilterFieldProps) {
  return (
    <Field label={label}>
      {(id) => (
        <Input
          id={id}
          value={value}
          placeholder={placeholder}
          maxLength={256}
          onChange={({ target }) => onChange(target.value)}
        />
      )}
    </Field>
  );
}

function MomentField({ label, value = '', onChange }: FilterFieldProps) {
  return (
    <Field label={label}>
      {(id) => (
        <Input
          id={id}
          type="datetime-local"
          value={toLocalField(value)}
          onChange={({ target }) => onChange(fromLocalField(target.value))}
        />
      )}
    </Field>
  );
}
