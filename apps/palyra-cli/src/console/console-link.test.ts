import { create } from '@bufbuild/protobuf';
import { CreateConsoleLinkResponseSchema } from '@palyra/protocol';
import { describe, expect, it } from 'vitest';
import { consoleLink } from './console-link.ts';

const SECRET = 's'.repeat(43);
const answer = (secret: string) => create(CreateConsoleLinkResponseSchema, { secret });

describe('the link to the console', () => {
  it('carries its secret in the fragment', () => {
    const link = consoleLink(answer(SECRET), 'http://localhost:7142');
    expect(link).toBe(`http://localhost:7142/#link=${SECRET}`);
  });

  it('leads to the port that browsers do not name', () => {
    const link = consoleLink(answer(SECRET), 'http://localhost');
    expect(link).toBe(`http://localhost/#link=${SECRET}`);
  });

  it.each([
    ['http://localhost:', SECRET],
    ['http://localhost@evil.example', SECRET],
    ['https://evil.example:7142', SECRET],
    ['http://localhost.evil.example:7142', SECRET],
    ['http://localhost:7142/x', SECRET],
    ['http://localhost:7142@evil.example:1', SECRET],
    ['http://localhost:7142', '"><script>'],
    ['http://localhost:7142', ''],
  ])('leads nowhere else, whatever the gateway says: %s', (origin, secret) => {
    expect(() => consoleLink(answer(secret), origin)).toThrow('a link that is none');
  });
});
