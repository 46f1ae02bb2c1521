import { ANTHROPIC_LIST } from '../offered-lists.ts';
import type { Wire } from '../wire.ts';
import { MessagesReader } from './events.ts';
import { messagesPost } from './request.ts';

/** Anthropic's messages API. */
export const anthropic: Wire = {
  post: messagesPost,
  keyHeader: (key) => ({ 'x-api-key': key }),
  reader: (toolOf) => new MessagesReader(toolOf),
  offered: ANTHROPIC_LIST,
};
