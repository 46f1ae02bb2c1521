/** One for this page, so that it does not hear itself. */
const tabs = new BroadcastChannel('palyra.session');

/** For whoever has opened or ended a session: what other tabs show is of the one before. */
export function tellOtherTabs(): void {
  tabs.postMessage('changed');
}

/** Contract: heard from the first moment on; a tab that learns it late goes on showing somebody else. */
export function onChangeElsewhere(act: () => void): void {
  tabs.addEventListener('message', act);
}
