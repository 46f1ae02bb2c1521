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
 * For a page that stands open and was refused as a stranger: if the session is over the way in is shown.
 * What is still on the screen is of somebody who may see it no longer. Contract: never rejects; does
 * nothing while the gateway knows the session, or is away.
 */
export async function lookWhetherEnded(): Promise<void> {
  const answer = await provenFetch('/console/session').catch(() => undefined);
  if (answer?.status !== 401) return;
  here.dispatchEvent(new Event(ENDED));
  tellOtherTabs('ended');
}
