import { PalyraError, type RunId, parseId } from '@palyra/kernel';
import { type ApprovalRecord, ApprovalStatus, RunStatus } from '@palyra/protocol';
import { callerOfStanding } from '../identity/caller-of-standing.ts';
import type { GatewayParts } from '../parts.ts';
import { begunRun } from './resumable.ts';
import { ACTORS } from './run-note.ts';
import type { Runs } from './runs.ts';

type TakeUpParts = Pick<GatewayParts, 'runs' | 'journal' | 'identity' | 'log'>;

/**
 * Lets a run go on that was cut off while it waited for a person, now that they have answered: that
 * answer was all that it waited for. It goes on as whoever it is for, with the rights that they and their device
 * have now; its call is decided from the start, and finds the answer.
 * Contract: never rejects. A run that cannot go on stays interrupted, and the answer counts until the
 * question ends.
 */
export async function takeUp(
  { status, proposal }: ApprovalRecord,
  runs: Pick<Runs, 'resume'>,
  parts: TakeUpParts,
): Promise<void> {
  const runId = parseId<'run'>(proposal?.runId ?? '');
  if (status === ApprovalStatus.PENDING || runId === undefined) return;
  try {
    const run = await parts.runs.get(runId);
    if (run?.status === RunStatus.INTERRUPTED) await goOn(runId, runs, parts);
  } catch (reason) {
    const { code, message } = PalyraError.from(reason);
    parts.log.warn('an answered run could not go on', { runId, code, reason: message });
  }
}

async function goOn(
  runId: RunId,
  runs: Pick<Runs, 'resume'>,
  { journal, identity }: TakeUpParts,
): Promise<void> {
  const { principal, deviceId, channel } = (await begunRun(runId, journal)).message;
  const standing = await identity.access.standing(principal, deviceId);
  const through = deviceId === '' ? {} : { deviceId };
  const asker = { ...callerOfStanding(standing), ...through, channel, actor: ACTORS.gateway };
  await runs.resume(runId, asker);
}
