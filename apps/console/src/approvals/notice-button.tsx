import { useState } from 'react';
import { Bell, BellOff, BellRing } from 'lucide-react';
import { Button } from '@palyra/ui';
import { type NoticeWish, noticeWish, wishNotices } from './notice-wish.ts';

/** Whether new questions are told by the browser while nobody looks. The only place that asks for it. */
export function NoticeButton() {
  const [wish, setWish] = useState<NoticeWish>(noticeWish);
  const change = async (to: 'on' | 'off') => setWish(await wishNotices(to));
  switch (wish) {
    case 'impossible':
      return null;
    case 'blocked':
      return (
        <Button look="quiet" size="small" disabled title="The browser blocks notifications here">
          <BellOff size={15} aria-hidden="true" /> Notifications are blocked
        </Button>
      );
    case 'on':
      return (
        <Button look="quiet" size="small" onClick={() => void change('off')}>
          <BellRing size={15} aria-hidden="true" /> Stop notifying
        </Button>
      );
    case 'off':
      return (
        <Button look="quiet" size="small" onClick={() => void change('on')}>
          <Bell size={15} aria-hidden="true" /> Notify me
        </Button>
      );
  }
}
