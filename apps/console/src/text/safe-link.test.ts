import { expect, it } from 'vitest';
import { safeLink } from './safe-link.ts';

it.each([
  ['https://example.org/a?b#c', 'https://example.org/a?b#c'],
  ['http://example.org', 'http://example.org/'],
  ['mailto:a@example.org', 'mailto:a@example.org'],
  ['HTTPS://EXAMPLE.org', 'https://example.org/'],
  ['https://pаypal.com', 'https://xn--pypal-4ve.com/'],
])('`%s` leads to `%s`', (address, href) => {
  expect(safeLink(address)).toBe(href);
});

it.each([
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  ' javascript:alert(1)',
  'java\nscript:alert(1)',
  '\u0001javascript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:x',
  'file:///etc/passwd',
  'blob:https://example.org/1',
  'filesystem:https://example.org/1',
  'view-source:https://example.org',
  '//example.org',
  '/devices',
  '#link=abc',
  '',
  'https://',
  'https://user@example.org',
  'https://bank.example:pw@evil.example',
  `https://example.org/${'a'.repeat(3_000)}`,
])('`%s` leads nowhere', (address) => {
  expect(safeLink(address)).toBeUndefined();
});
