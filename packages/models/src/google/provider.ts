import { GOOGLE_LIST } from '../offered-lists.ts';
import type { Wire } from '../wire.ts';
import { GenerateReader } from './events.ts';
import { generatePost } from './request.ts';

/** Google's generateContent, streamed. */
export const google: Wire = {
  post: generatePost,
  keyHeader: (key) => ({ 'x-goog-api-key': key }),
  reader: (toolOf) => new GenerateReader(toolOf),
  offered: GOOGLE_LIST,
};
