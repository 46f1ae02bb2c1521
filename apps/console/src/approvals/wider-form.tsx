import { useId, useState } from 'react';
import { systemClock } from '@palyra/kernel';
import type { OfferedShape } from '@palyra/protocol';
import { Button, Field, Input, SteadyButton, Words } from '@palyra/ui';
import { Choice } from './choice.tsx';
import { ShapeChoice } from './shape-choice.tsx';
import { type End, SOONEST, untilOf } from './until.ts';
import { UntilField } from './until-field.tsx';
import { MOST_USES, ONCE, USUAL_USES, type Wish, consequence } from './wish.ts';

export interface WiderFormProps {
  /** The call that is asked about, in a line. */
  readonly call: string;
  readonly offers: readonly OfferedShape[];
  /** Whose calls they are. */
  readonly whose: string;
  readonly begin: Wish['scope'];
  readonly isBusy: boolean;
  readonly onYes: (wish: Wish) => void;
  readonly onBack: () => void;
}

/** For how long, how often and for which calls: the narrowest stands first and is chosen. */
export function WiderForm(props: WiderFormProps) {
  const { call, offers, whose, begin, isBusy, onYes, onBack } = props;
  const form = useWish(offers, begin);
  const { wish } = form;
  return (
    <form
      className="flex max-h-[65dvh] flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (wish !== undefined) onYes(wish);
      }}
      onKeyDown={(event) => (event.key === 'Escape' ? onBack() : undefined)}
    >
      <div className="flex min-h-0 flex-col gap-4 overflow-y-auto p-0.5">
        <ScopeChoice scope={form.scope} onScope={form.setScope} />
        {form.scope === 'once' ? null : (
          <>
            <ShapeChoice call={call} offers={offers} chosen={form.shape} onChoose={form.setShape} />
            <div className="flex flex-wrap gap-3">
              {form.scope === 'until' ? <UntilField end={form.end} onEnd={form.setEnd} /> : null}
              <UsesField uses={form.uses} onUses={form.setUses} />
            </div>
          </>
        )}
      </div>
      {wish === undefined ? null : (
        <p role="status" className="rounded-lg bg-wait-tint px-3 py-2 text-sm text-wait">
          <Words text={consequence(wish, offers, whose)} />
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        <SteadyButton type="submit" look="main" isBusy={isBusy} disabled={wish === undefined}>
          {YES[form.scope]}
        </SteadyButton>
        <Button look="quiet" onClick={onBack}>
          Back
        </Button>
      </div>
    </form>
  );
}

const YES = {
  once: 'Yes, once',
  session: 'Yes, for this session',
  until: 'Yes, until then',
} as const satisfies Record<Wish['scope'], string>;

function useWish(offers: readonly OfferedShape[], begin: Wish['scope']) {
  const [scope, setScope] = useState(begin);
  const [shape, setShape] = useState(offers[0]?.name ?? '');
  const [end, setEnd] = useState<End>(SOONEST);
  const [uses, setUses] = useState(USUAL_USES);
  const [openedAt] = useState(() => systemClock().now());
  const until = scope === 'until' ? untilOf(end, openedAt) : '';
  const isWhole = until !== undefined && uses >= 1 && uses <= MOST_USES;
  const wider = isWhole && scope !== 'once' ? { scope, shape, until, uses } : undefined;
  const wish: Wish | undefined = scope === 'once' ? ONCE : wider;
  return { scope, setScope, shape, setShape, end, setEnd, uses, setUses, wish };
}

interface ScopeChoiceProps {
  readonly scope: Wish['scope'];
  readonly onScope: (scope: Wish['scope']) => void;
}

const SCOPES = [
  ['once', 'Once', 'This call and no other.'],
  ['session', 'This session', 'Calls of the same session, for a day at most.'],
  ['until', 'Until…', 'Calls of the same person in any session, until a time.'],
] as const satisfies readonly (readonly [Wish['scope'], string, string])[];

function ScopeChoice({ scope, onScope }: ScopeChoiceProps) {
  const name = useId();
  return (
    <fieldset className="grid gap-1.5 sm:grid-cols-3">
      <legend className="mb-1 text-sm font-medium">For how long</legend>
      {SCOPES.map(([id, says, more]) => (
        <Choice
          key={id}
          name={name}
          isChosen={scope === id}
          onChoose={() => onScope(id)}
          // Whoever came by `u` or `a` goes on with the arrow keys.
          autoFocus={scope === id}
          says={says}
        >
          {more}
        </Choice>
      ))}
    </fieldset>
  );
}

interface UsesFieldProps {
  readonly uses: number;
  readonly onUses: (uses: number) => void;
}

function UsesField({ uses, onUses }: UsesFieldProps) {
  return (
    <Field label="At most so many calls">
      {(id) => (
        <Input
          id={id}
          type="number"
          min={1}
          max={MOST_USES}
          className="w-40"
          value={Number.isNaN(uses) ? '' : uses}
          onChange={({ target }) => onUses(target.valueAsNumber)}
        />
      )}
    </Field>
  );
}
