import { PalyraError } from '@palyra/kernel';
import type { z } from 'zod';
import { CAGE, REQUEST } from './messages.ts';
import { plain, plainCage } from './plain-request.ts';
import type { SandboxRequest } from '../model.ts';
import type { ExpectedRequest } from './sandboxes.ts';

/**
 * As the wire takes it. Contract: throws INVALID_INPUT for one that the other process would take for the
 * words of a stranger, and end.
 */
export function withinBounds(request: SandboxRequest): z.infer<typeof REQUEST> {
  const { data, error } = REQUEST.safeParse(plain(request));
  if (data !== undefined) return data;
  const [part = 'request'] = error.issues[0]?.path ?? [];
  throw new PalyraError('INVALID_INPUT', `the ${String(part)} of the command is out of bounds`, {
    help: 'give it fewer or shorter words, variables and hosts: what is large can go in by its input',
  });
}

/** Of one that may come: what is out of bounds never will. Contract: `undefined` then. */
export function cageWithinBounds(request: ExpectedRequest): z.infer<typeof CAGE> | undefined {
  return CAGE.safeParse(plainCage(request)).data;
}
