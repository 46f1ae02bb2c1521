import { useEffect, useEffectEvent, useRef } from 'react';
import { useNavigate } from '@tanstack/react-router';
import type { ApprovalRecord } from '@palyra/protocol';
import { inline } from './call-words.ts';
import { noticeWish } from './notice-wish.ts';
import { useKnownPending } from './use-pending.ts';

/** Held by every tab that is seen; by one of all that tells. */
const SEEN = 'palyra.seen';
const TELLER = 'palyra.teller';

/** Tells of new questions while no tab of the console is seen: one of all tabs does. */
export function useNotices(): void {
  const isTeller = useTeller();
  useSeen();
  const pending = useKnownPending();
  const known = useRef<ReadonlySet<string>>(undefined);
  const navigate = useNavigate();
  const open = useEffectEvent((approvalId: string) => {
    window.focus();
    void navigate({ to: '/approvals/$approvalId', params: { approvalId } });
  });
  useEffect(() => {
    if (pending === undefined) return;
    const before = known.current;
    known.current = new Set(pending.map(({ approvalId }) => approvalId));
    // What waited when the page was opened is no news.
    const news = before === undefined ? [] : pending.filter((each) => !before.has(each.approvalId));
    if (news.length > 0 && isTeller.current) void tell(news, open);
  }, [pending, isTeller]);
}

async function tell(
  news: readonly ApprovalRecord[],
  open: (approvalId: string) => void,
): Promise<void> {
  if (noticeWish() !== 'on') return;
  const { held = [] } = await navigator.locks.query();
  if (held.some(({ name }) => name === SEEN)) return;
  for (const { approvalId, proposal } of news) {
    // INVARIANT: nothing of the arguments: whoever stands beside the screen reads it too.
    const body = `${inline(proposal?.tool ?? 'A call')} waits for an answer`;
    const notice = new Notification('Palyra asks', { body, tag: approvalId, icon: '/icon.svg' });
    notice.addEventListener('click', () => {
      notice.close();
      open(approvalId);
    });
  }
}

function useTeller() {
  const isTeller = useRef(false);
  useEffect(() => {
    const leaving = Promise.withResolvers<void>();
    const waiting = new AbortController();
    const hold = async () => {
      isTeller.current = true;
      await leaving.promise;
      isTeller.current = false;
    };
    void whileHeld(navigator.locks.request(TELLER, { signal: waiting.signal }, hold));
    return () => {
      waiting.abort();
      leaving.resolve();
    };
  }, []);
  return isTeller;
}

function useSeen(): void {
  useEffect(() => {
    const held: { release?: () => void } = {};
    const look = () => {
      held.release?.();
      delete held.release;
      if (document.visibilityState !== 'visible') return;
      const leaving = Promise.withResolvers<void>();
      held.release = leaving.resolve;
      void navigator.locks.request(SEEN, { mode: 'shared' }, () => leaving.promise);
    };
    look();
    document.addEventListener('visibilitychange', look);
    return () => {
      document.removeEventListener('visibilitychange', look);
      held.release?.();
    };
  }, []);
}

/** A lock that is no longer waited for ends so; nothing else does. */
async function whileHeld(lock: Promise<unknown>): Promise<void> {
  try {
    await lock;
  } catch (reason) {
    if (!(reason instanceof DOMException && reason.name === 'AbortError')) throw reason;
  }
}
