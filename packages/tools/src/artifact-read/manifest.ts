import { Risk } from '@palyra/protocol';
import * as z from 'zod';
import { artifactName } from '../arguments.ts';
import { read } from '../canonical/reading.ts';
import { declareTool } from '../manifest.ts';

export const artifactReadArguments = () =>
  z.strictObject({
    sha256: artifactName().describe('as the result of an earlier call of this session names it'),
    offset: z
      .int()
      .min(0)
      .max(Number.MAX_SAFE_INTEGER)
      .default(0)
      .describe('the byte to start at, as the page before says it'),
  });

export const artifactRead = declareTool({
  name: 'artifact.read',
  description: 'reads on in a result of this session that was too large for one answer',
  // What it gives was the result of a call, which was decided then.
  capabilities: [],
  risk: Risk.LOW,
  effects: 'reads',
  schema: artifactReadArguments,
  meaning: () => read({}),
});
