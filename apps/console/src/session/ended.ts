import { onChangeElsewhere, tellOtherTabs } from './change.ts';
import { provenFetch } from './proof.ts';

/** One for this page. */
const here = new EventTarget();
const ENDED = 'ended';

/**
 * Contract: told once a session was over, whoever noticed: this page, or another tab that ended it; at
 * once, when that was heard before.
 */
export function onEnded(act: () => void): void {
  here.addEventListener(ENDED, act);
  onChangeElsewhere((change) => {
    if (change === 'ended') act();
  });
}

/**
 * `provenFetch` for a page that stands open: refused as a stranger, it asks whether the session is over,
 * and the way in is shown then. What is still on the screen is of somebody who may see it no longer.
 */
export const watchedFetch: typeof fetch = async (input, init) => {
  const answer = await provenFetch(input, init);
  if (answer.status === 401) void lookWhetherEnded();
  return answer;
};

/** Contract: never rejects; does nothing while the gateway knows the session, or is away. */
async function lookWhetherEnded(): Promise<void> {
  const answer = await provenFetch('/console/session').catch(() => undefined);
  if (answer?.status !== 401) return;
  here.dispatchEvent(new Event(ENDED));
  tellOtherTabs('ended');
}
