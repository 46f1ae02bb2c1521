import { useState } from 'react';
import { Button, Field, Input } from '@palyra/ui';

/** As much as the gateway takes. */
const MOST_CHARACTERS = 1_000;

export interface DenyFormProps {
  readonly isBusy: boolean;
  readonly onDeny: (reason: string) => void;
  readonly onBack: () => void;
}

export function DenyForm({ isBusy, onDeny, onBack }: DenyFormProps) {
  const [reason, setReason] = useState('');
  return (
    <form
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        onDeny(reason.trim());
      }}
      onKeyDown={(event) => (event.key === 'Escape' ? onBack() : undefined)}
    >
      <Field label="Why not?" says="The model is told. Enter without words gives no reason.">
        {(id) => (
          <Input
            id={id}
            autoFocus
            value={reason}
            maxLength={MOST_CHARACTERS}
            onChange={({ target }) => setReason(target.value)}
          />
        )}
      </Field>
      <div className="flex flex-wrap gap-2">
        <Button type="submit" look="danger" isBusy={isBusy}>
          Deny
        </Button>
        <Button look="quiet" onClick={onBack}>
          Back
        </Button>
      </div>
    </form>
  );
}
