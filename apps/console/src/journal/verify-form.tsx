import { useState } from 'react';
import { Button, Field, Input, Select } from '@palyra/ui';
import type { VerifyScope } from './use-verification.ts';
import { type VerifyWish, scopeOf } from './verify-wish.ts';

export interface VerifyFormProps {
  readonly run: string | undefined;
  readonly onVerify: (scope: VerifyScope) => void;
}

const CHOICES: readonly (readonly [VerifyWish['what'], string])[] = [
  ['all', 'The whole journal'],
  ['range', 'Some entries'],
  ['run', 'One run'],
];

export function VerifyForm({ run = '', onVerify }: VerifyFormProps) {
  const [wish, setWish] = useState<VerifyWish>({
    what: run === '' ? 'all' : 'run',
    from: '',
    to: '',
    run,
  });
  const [trouble, setTrouble] = useState('');
  const edit = (change: Partial<VerifyWish>) => {
    setWish({ ...wish, ...change });
    setTrouble('');
  };
  const submit = () => {
    const scope = scopeOf(wish);
    if (typeof scope === 'string') setTrouble(scope);
    else onVerify(scope);
  };
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <Field label="What">
        {(id) => (
          <Select
            id={id}
            value={wish.what}
            onChange={({ target }) =>
              edit({ what: CHOICES.find(([what]) => what === target.value)?.[0] ?? 'all' })
            }
          >
            {CHOICES.map(([what, words]) => (
              <option key={what} value={what}>
                {words}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <WishFields wish={wish} onEdit={edit} />
      {trouble === '' ? null : (
        <p role="alert" className="text-sm text-bad">
          {trouble}
        </p>
      )}
      <Button look="main" type="submit" className="self-end">
        Verify
      </Button>
    </form>
  );
}

interface WishFieldsProps {
  readonly wish: VerifyWish;
  readonly onEdit: (change: Partial<VerifyWish>) => void;
}

function WishFields({ wish, onEdit }: WishFieldsProps) {
  switch (wish.what) {
    case 'all':
      return null;
    case 'run':
      return <WishField label="Run" says="" value={wish.run} onChange={(run) => onEdit({ run })} />;
    case 'range':
      return (
        <div className="grid grid-cols-2 gap-3">
          <WishField
            label="From entry"
            says="Its number"
            value={wish.from}
            onChange={(from) => onEdit({ from })}
          />
          <WishField
            label="To entry"
            says="Empty for the newest"
            value={wish.to}
            onChange={(to) => onEdit({ to })}
          />
        </div>
      );
  }
}

interface WishFieldProps {
  readonly label: string;
  readonly says: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function WishField({ label, says, value, onChange }: WishFieldProps) {
  return (
    <Field label={label} {...(says === '' ? {} : { says })}>
      {(id) => <Input id={id} value={value} onChange={({ target }) => onChange(target.value)} />}
    </Field>
  );
}
