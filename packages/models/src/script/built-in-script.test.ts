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

  it('repeats the prompt and then proposes three tool calls', () => {
    expect(JSON.stringify(first)).toContain('{{prompt}}');
    expect(first?.slice(-3)).toEqual([
      { kind: 'tool-call', tool: 'fs.read', argumentsJson: '{"path":"README.md"}' },
      {
        kind: 'tool-call',
        tool: 'process.run',
        argumentsJson: '{"args":["status","--short"],"command":"git"}',
      },
      {
        kind: 'tool-call',
        tool: 'mail.send',
        argumentsJson: '{"text":"hello","to":"everybody@example.org"}',
      },
    ]);
  });

  it('ends by saying how each of them ended and where to look', () => {
    expect(second?.every(({ kind }) => kind === 'text')).toBe(true);
    expect(JSON.stringify(second)).toContain('no rule allows');
    expect(JSON.stringify(second)).toContain('ran in a sandbox only if');
    expect(JSON.stringify(second)).toContain('needed a person');
    expect(JSON.stringify(second)).toContain('palyra journal verify');
    expect(others).toEqual([]);
  });
});
