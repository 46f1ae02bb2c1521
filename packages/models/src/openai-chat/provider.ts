import { OPENAI_LIST } from '../offered-lists.ts';
import type { Wire } from '../wire.ts';
import { ChatReader } from './events.ts';
import { chatPost } from './request.ts';

/** Chat completions: OpenAI, and nearly everything that serves models. */
export const openaiChat: Wire = {
  post: chatPost,
  keyHeader: (key) => ({ authorization: `Bearer ${key}` }),
  reader: (toolOf) => new ChatReader(toolOf),
  offered: OPENAI_LIST,
};
