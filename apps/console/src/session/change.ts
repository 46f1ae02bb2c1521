/** One for this page, so that it does not hear itself. */
const tabs = new BroadcastChannel('palyra.session');
const heard: { last?: SessionChange } = {};
tabs.addEventListener('message', ({ data }: MessageEvent<SessionChange>) => {
  heard.last = data;
});

/** Another session is there, or none any more. */
export type SessionChange = 'opened' | 'ended';

/** For whoever has opened or ended a session: what other tabs show is of the one before. */
export function tellOtherTabs(change: SessionChange): void {
  tabs.postMessage(change);
}

/**
 * Contract: heard from the first moment on, and told at once to whoever asks only after it; a tab that
 * learns it late goes on showing somebody else.
 */
export function onChangeElsewhere(act: (change: SessionChange) => void): void {
  tabs.addEventListener('message', ({ data }: MessageEvent<SessionChange>) => act(data));
  if (heard.last !== undefined) act(heard.last);
}
