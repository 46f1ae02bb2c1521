import { useState } from 'react';
import { Button, Field, Input } from '@palyra/ui';

const MOST_CHARACTERS = 64;

export interface NameFormProps {
  readonly name: string;
  /** What its button does. */
  readonly does: string;
  readonly isBusy: boolean;
  readonly onName: (name: string) => void;
}

export function NameForm({ name: old, does, isBusy, onName }: NameFormProps) {
  const [name, setName] = useState(old);
  const given = name.trim();
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (given !== '') onName(given);
      }}
    >
      <Field label="Name" says="For you to tell it from your others.">
        {(id) => (
          <Input
            id={id}
            autoFocus
            value={name}
            maxLength={MOST_CHARACTERS}
            placeholder="Laptop, phone, stick…"
            onChange={({ target }) => setName(target.value)}
          />
        )}
      </Field>
      <Button
        type="submit"
        look="main"
        isBusy={isBusy}
        disabled={given === ''}
        className="self-end"
      >
        {does}
      </Button>
    </form>
  );
}
