import { listAt, textAt } from './json-view.ts';
import type { WireList } from './wire.ts';
import { API_VERSION } from './anthropic/request.ts';

/** Where each provider tells which models it has. One page of the longest kind: nobody has more. */

export const OPENAI_LIST: WireList = {
  path: 'models',
  headers: {},
  names: idsIn,
};

export const ANTHROPIC_LIST: WireList = {
  path: 'v1/models?limit=1000',
  headers: { 'anthropic-version': API_VERSION },
  names: idsIn,
};

export const GOOGLE_LIST: WireList = {
  path: 'models?pageSize=1000',
  headers: {},
  names: (document) =>
    listAt(document, 'models')
      .filter((model) => listAt(model, 'supportedGenerationMethods').includes('generateContent'))
      .map((model) => (textAt(model, 'name') ?? '').replace(/^models\//, '')),
};

function idsIn(document: unknown): readonly string[] {
  return listAt(document, 'data').map((model) => textAt(model, 'id') ?? '');
}
