import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hideSecrets } from './hide-secrets.ts';

describe('what was recorded, as people read it', () => {
  it('has no secrets by name or by shape, and what has such a name but is none stays', () => {
    const token = `ghp_${'x9Y8'.repeat(9)}`;
    expect(
      hideSecrets({
        password: 'hunter2',
        headers: { authorization: 'Basic abcdefgh' },
        note: `use ${token}`,
        token: { label: 'ci', tokenId: '01J' },
        secrets: ['a', 'b'],
        spent: { tokens: '1200', toolCalls: 3 },
        empty: { password: '' },
      }),
    ).toEqual({
      password: '[redacted]',
      headers: { authorization: '[redacted]' },
      note: 'use [redacted]',
      token: { label: 'ci', tokenId: '01J' },
      secrets: ['[redacted]', '[redacted]'],
      spent: { tokens: '1200', toolCalls: 3 },
      empty: { password: '' },
    });
  });

  it('has none where a command takes one, in whatever way it is written', () => {
    const shown = hideSecrets({
      arguments: { command: 'mysql', args: ['-u', 'root', '-p', 'hunter2'] },
      facts: { process: { executable: 'curl', arguments: ['-u', 'bob:swordfish'] } },
      argumentsJson: '{"command":"sshpass","args":["-p","opensesame","ssh","host"]}',
      text: 'redis-cli -a letmein ping',
    });
    expect(shown).toEqual({
      arguments: { command: 'mysql', args: ['-u', 'root', '-p', '[redacted]'] },
      facts: { process: { executable: 'curl', arguments: ['-u', 'bob:[redacted]'] } },
      argumentsJson: '{"command":"sshpass","args":["-p","[redacted]","ssh","host"]}',
      text: 'redis-cli -a [redacted] ping',
    });
  });

  it('has none of its words anywhere else, in sets without order either', () => {
    const shown = hideSecrets({
      asked: {
        process: {
          commandLine: 'mysql -p Hunter2x db',
          arguments: ['-p', 'Hunter2x', 'db'].toSorted(),
          names: ['db', 'hunter2x', 'mysql'],
        },
      },
      reason: 'denied: mysql with Hunter2x',
    });
    expect(JSON.stringify(shown).toLowerCase()).not.toContain('hunter2x');
    const pair = { commandLine: 'curl -u bob:swordfish1 x', names: ['bob', 'curl', 'swordfish1'] };
    expect(hideSecrets(pair)).toEqual({
      commandLine: 'curl -u bob:[redacted] x',
      names: ['bob', 'curl', '[redacted]'],
    });
    expect(shown).toMatchObject({ asked: { process: { names: ['db', '[redacted]', 'mysql'] } } });
  });

  it('is all else, and always ends', () => {
    const plain = { tool: 'process.run', args: ['push', '--force'], n: 1, ok: true, none: null };
    expect(hideSecrets(plain)).toEqual(plain);
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(() => JSON.stringify(hideSecrets(JSON.parse(JSON.stringify(value))))).not.toThrow();
      }),
    );
    const deep = `${'{"a":'.repeat(50)}"x"${'}'.repeat(50)}`;
    expect(JSON.stringify(hideSecrets(deep))).toContain('[deep]');
  });
});
