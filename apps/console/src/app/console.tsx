import { useEffect, useState } from 'react';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { ToastProvider } from '@palyra/ui';
import { Answer } from '../wire/answer.tsx';
import { gateway } from '../wire/gateway.ts';
import { type Live, startLive } from '../wire/live.ts';
import { queries } from '../wire/query.ts';
import { useAsk } from '../wire/use-ask.ts';
import { CallerContext } from './caller.ts';
import { LiveContext } from './live.ts';
import { router } from './router.tsx';

/** Everything, for whoever has a session. */
export function Console() {
  return (
    <QueryClientProvider client={queries}>
      <ToastProvider>
        <SignedIn />
      </ToastProvider>
    </QueryClientProvider>
  );
}

function SignedIn() {
  const caller = useAsk(['caller'], (signal) => gateway.identity.getCaller({}, { signal }));
  const live = useLive();
  return (
    <Answer of={caller}>
      {(data) => (
        <CallerContext value={data}>
          <LiveContext value={live}>
            <RouterProvider router={router} />
          </LiveContext>
        </CallerContext>
      )}
    </Answer>
  );
}

function useLive(): Live | undefined {
  const [live, setLive] = useState<Live>();
  useEffect(() => {
    const started = startLive();
    setLive(started);
    return () => started.stop();
  }, []);
  return live;
}
