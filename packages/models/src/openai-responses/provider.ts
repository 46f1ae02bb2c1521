import { OPENAI_LIST } from '../offered-lists.ts';
import type { Wire } from '../wire.ts';
import { ResponsesReader } from './events.ts';
import { responsesPost } from './request.ts';

/** OpenAI's newer API. */
export const openaiResponses: Wire = {
  post: responsesPost,
  keyHeader: (key) => ({ authorization: `Bearer ${key}` }),
  reader: (toolOf) => new ResponsesReader(toolOf),
  offered: OPENAI_LIST,
};
