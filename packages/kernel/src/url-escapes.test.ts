import { expect, it } from 'vitest';
import { spellEscapes } from './url-escapes.ts';

it.each([
  ['/v1/prices', '/v1/prices'],
  ['/%61dmin/%7Ea%2e', '/admin/~a.'],
  ['/%c3%bc%2f', '/%C3%BC%2F'],
  ['/%zz%', '/%zz%'],
])('%s is spelt %s', (text, spelt) => {
  expect(spellEscapes(text)).toBe(spelt);
});

it('escapes that come together are left as they are', () => {
  expect(spellEscapes('/%2561')).toBe('/%2561');
});
