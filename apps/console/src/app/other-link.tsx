import { useState } from 'react';
import { QueryClientProvider, useMutation } from '@tanstack/react-query';
import { visibleText } from '@palyra/kernel';
import { Button, SteadyButton } from '@palyra/ui';
import type { Caller } from '../session/caller.ts';
import { USED, openLink, troubleOf } from '../session/enter.ts';
import { queries } from '../wire/query.ts';
import { Logo } from './logo.tsx';

export interface OtherLinkProps {
  readonly caller: Caller;
  readonly link: string;
  readonly onStay: () => void;
}

/**
 * For whoever has a session and came by a link. Any page can send a browser here with a link of its own,
 * and whoever goes on as somebody else without knowing gives them what they say and do.
 */
export function OtherLink(props: OtherLinkProps) {
  return (
    <QueryClientProvider client={queries}>
      <Choice {...props} />
    </QueryClientProvider>
  );
}

function Choice({ caller, link, onStay }: OtherLinkProps) {
  const { open, isBusy, trouble } = useOpening(link);
  return (
    <main className="grid min-h-dvh place-items-center p-6">
      <div className="flex w-full max-w-md flex-col gap-4 rounded-card border border-line bg-card p-8 shadow-card">
        <Logo />
        <h1 className="text-xl font-semibold tracking-tight wrap-anywhere">
          You are signed in as {visibleText(caller.name || caller.principal, 'one-line')}
        </h1>
        <p className="text-sm text-soft">
          You came by a link that opens another session, perhaps as somebody else. Open it only if
          you have just run <code>palyra console</code> yourself. Other tabs then change, too.
        </p>
        <div className="flex flex-wrap gap-2">
          <Button look="main" onClick={onStay}>
            Stay signed in
          </Button>
          <SteadyButton isBusy={isBusy} disabled={trouble !== undefined} onClick={open}>
            Open the link instead
          </SteadyButton>
        </div>
        {trouble === undefined ? null : (
          <p role="alert" className="rounded-lg bg-bad-tint px-3 py-2 text-sm text-bad">
            {trouble} You are still signed in as before.
          </p>
        )}
      </div>
    </main>
  );
}

function useOpening(link: string) {
  const [trouble, setTrouble] = useState<string>();
  const { mutate, isPending } = useMutation({
    mutationFn: () => openLink(link),
    onSuccess: (opened) => (opened === undefined ? setTrouble(USED) : location.reload()),
    onError: (reason) => setTrouble(troubleOf(reason)),
  });
  return { open: () => mutate(), isBusy: isPending, trouble };
}
