import { lazy, useEffect, useState } from 'react';
import { QueryClientProvider, useQuery } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { ToastProvider } from '@palyra/ui';
import type { Caller } from '../session/caller.ts';
import { Answer } from '../wire/answer.tsx';
import { gatewayLater, second } from '../wire/second.ts';
import { type Live, startLive } from '../wire/live.ts';
import { queries } from '../wire/query.ts';
import { CallerContext } from './caller.ts';
import { LiveContext } from './live.ts';
import { router } from './router.tsx';

const Notices = lazy(async () => ({ default: (await second()).Notices }));

/** Everything, for whoever has a session. */
export function Console({ caller }: { readonly caller: Caller }) {
  return (
    <QueryClientProvider client={queries}>
      <ToastProvider notices={Notices}>
        <SignedIn caller={caller} />
      </ToastProvider>
    </QueryClientProvider>
  );
}

function SignedIn({ caller }: { readonly caller: Caller }) {
  const asked = useQuery<Caller>({
    queryKey: ['caller'],
    queryFn: async ({ signal }) => (await gatewayLater()).identity.getCaller({}, { signal }),
    initialData: caller,
  });
  const live = useLive();
  return (
    <Answer of={asked}>
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
