import { PalyraError } from '@palyra/kernel';
import { tellOtherTabs } from './change.ts';
import { forgetKey } from './key.ts';
import { provenFetch } from './proof.ts';

/** Contract: whatever the gateway answers, this browser can prove nothing any more afterwards. */
export async function leave(): Promise<void> {
  try {
    const answer = await provenFetch('/console/session', { method: 'DELETE' });
    // One that is not known any more has ended, too.
    if (!answer.ok && answer.status !== 401) throw notEnded();
  } finally {
    await forgetKey();
    tellOtherTabs('ended');
  }
}

function notEnded(): PalyraError {
  return new PalyraError('DAEMON_UNREACHABLE', 'the gateway did not end the session', {
    help: 'nobody can use it from this browser any more; it ends by itself after twelve hours',
  });
}
