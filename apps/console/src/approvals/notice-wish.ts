const KEPT = 'palyra.notices';

export type NoticeWish = 'on' | 'off' | 'blocked' | 'impossible';

/** On only for who has said so here, and allowed it in the browser. */
export function noticeWish(): NoticeWish {
  if (!('Notification' in globalThis)) return 'impossible';
  if (Notification.permission === 'denied') return 'blocked';
  const isWanted = localStorage.getItem(KEPT) === 'on';
  return isWanted && Notification.permission === 'granted' ? 'on' : 'off';
}

/** Contract: only after a press; browsers ask the person then. */
export async function wishNotices(to: 'on' | 'off'): Promise<NoticeWish> {
  if (to === 'off') localStorage.removeItem(KEPT);
  else if ((await Notification.requestPermission()) === 'granted') localStorage.setItem(KEPT, 'on');
  return noticeWish();
}
