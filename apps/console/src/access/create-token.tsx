import { useState } from 'react';
import { PERMISSIONS, isForPeopleOnly, permissionWord } from '@palyra/kernel';
import type { Permission } from '@palyra/protocol';
import { Button, Dialog, Field, Input, Select } from '@palyra/ui';
import { useCaller } from '../app/caller.ts';
import { gateway } from '../wire/gateway.ts';
import { useAct } from '../wire/use-act.ts';
import { PERMISSION_WORDS } from './permission-words.ts';
import { SecretOnce } from './secret-once.tsx';

const DAY_SECONDS = 86_400;
const LIFETIMES = [1, 7, 30, 90, 365];

export function CreateToken() {
  const [isOpen, setIsOpen] = useState(false);
  const [secret, setSecret] = useState<string>();
  return (
    <>
      <Button size="small" onClick={() => setIsOpen(true)}>
        Make a token
      </Button>
      <Dialog isOpen={isOpen} onClose={() => setIsOpen(false)} title="Make a token">
        <TokenForm
          onMade={(made) => {
            setIsOpen(false);
            setSecret(made);
          }}
        />
      </Dialog>
      <SecretOnce secret={secret} onClose={() => setSecret(undefined)} />
    </>
  );
}

function TokenForm({ onMade }: { readonly onMade: (secret: string) => void }) {
  const [label, setLabel] = useState('');
  const [days, setDays] = useState(30);
  const [scopes, setScopes] = useState<readonly Permission[]>([]);
  const making = useAct({
    act: () =>
      gateway.tokens.createToken({
        label,
        scopes: [...scopes],
        lifetimeSeconds: BigInt(days * DAY_SECONDS),
      }),
    changes: ['access'],
    after: (made) => onMade(made.secret),
  });
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        making.mutate();
      }}
    >
      <Field label="What it is for">
        {(id) => (
          <Input
            id={id}
            value={label}
            required
            autoFocus
            onChange={({ target }) => setLabel(target.value)}
          />
        )}
      </Field>
      <Scopes chosen={scopes} onChoose={setScopes} />
      <Field label="Ends after">
        {(id) => (
          <Select id={id} value={days} onChange={({ target }) => setDays(Number(target.value))}>
            {LIFETIMES.map((each) => (
              <option key={each} value={each}>
                {each === 1 ? '1 day' : `${each} days`}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Button
        type="submit"
        look="main"
        className="self-end"
        isBusy={making.isPending}
        disabled={scopes.length === 0}
      >
        Make it
      </Button>
    </form>
  );
}

interface ScopesProps {
  readonly chosen: readonly Permission[];
  readonly onChoose: (scopes: readonly Permission[]) => void;
}

/** Only what the caller has, and what is not for people alone. */
function Scopes({ chosen, onChoose }: ScopesProps) {
  const { permissions } = useCaller();
  const offered = [...PERMISSIONS.keys()].filter(
    (permission) => permissions.includes(permission) && !isForPeopleOnly(permission),
  );
  return (
    <fieldset className="flex flex-col gap-1.5 text-sm">
      <legend className="mb-1.5 font-medium">What it may</legend>
      {offered.map((permission) => (
        <label key={permission} className="flex items-center gap-2">
          <input
            type="checkbox"
            checked={chosen.includes(permission)}
            onChange={({ target }) =>
              onChoose(
                target.checked
                  ? [...chosen, permission]
                  : chosen.filter((each) => each !== permission),
              )
            }
          />
          {PERMISSION_WORDS[permission]}
          <code className="text-xs text-soft">{permissionWord(permission)}</code>
        </label>
      ))}
    </fieldset>
  );
}
