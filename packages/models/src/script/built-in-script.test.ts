import { describe, expect, it } from 'vitest';
import { builtInScript } from './built-in-script.ts';

describe('the built-in script', () => {
  const [first, second, ...others] = builtInScript().turns;

  it('says in its first sentence what it is', () => {
    expect(first?.[0]).toMatchObject({
      kind: 'text',
      text: expect.stringMatching(/^I am a script, not a language model/),
    });
  });

  it('repeats the prompt and then proposes two tool calls', () => {
    expect(JSON.stringify(first)).toContain('{{prompt}}');
    expect(first?.slice(-2)).toEqual([
      { kind: 'tool-call', tool: 'fs.read', argumentsJson: '{"path":"README.md"}' },
      {
        kind: 'tool-call',
        tool: 'process.run',
        argumentsJson: '{"arguments":["status","--short"],"command":"git"}',
      },
    ]);
  });

  it('ends by saying why both were refused and where to look', () => {
    expect(second?.every(({ kind }) => kind === 'text')).toBe(true);
    expect(JSON.stringify(second)).toContain('no rule allows');
    expect(JSON.stringify(second)).toContain('palyra journal verify');
    expect(others).toEqual([]);
  });
});
