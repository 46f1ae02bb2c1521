import { GainKind } from '@palyra/protocol';
import { describe, expect, it } from 'vitest';
import { baselineFiles, compiled } from '../baseline/baseline.fixture.ts';
import { compareSets } from './compare-sets.ts';
import type { Gain } from './difference.ts';

/** Of the rules that come with the gateway, with these beside them. */
async function gainsOf(before: string, after: string): Promise<readonly string[]> {
  const setOf = (text: string) =>
    compiled([...baselineFiles('ask'), { layer: 'operator', name: 'own.cedar', text }], 'ask');
  const { gains } = await compareSets(setOf(before), setOf(after), { tools: [] });
  return gains.map(told);
}

function told({ kind, principal, what }: Gain): string {
  const [word = ''] = Object.entries(GainKind).find(([, value]) => value === kind) ?? [];
  return `${word}: ${principal}: ${what}`;
}

const rule = (scope: string, condition = '') =>
  `@id("own") @says("for this test") ${scope}${condition};`;
const NOTHING = '';

describe('rules about runs and sessions', () => {
  it('that let tokens see those of others are a gain of tokens', async () => {
    const wide = rule('permit (principal is Token, action == Action::"work.see", resource)');
    const gains = await gainsOf(NOTHING, wide);
    const token = 'OTHER: token of an operator with every scope: work.see';
    expect(gains).toEqual([
      `${token} of somebody else`,
      `${token} of somebody else's token`,
      `${token} of everybody`,
    ]);
  });

  it('that let one person stop those of another name both', async () => {
    const stop = 'permit (principal == User::"bob", action == Action::"work.stop", resource)';
    for (const one of [
      rule(stop.replace('resource)', 'resource == Work::"user:eve")')),
      rule(stop, ' when { resource has user && resource.user == User::"eve" }'),
    ]) {
      expect(await gainsOf(NOTHING, one)).toContain(
        'OTHER: user:bob as an operator: work.stop of user:eve',
      );
    }
  });

  it('that no longer hide something from somebody are a gain, too', async () => {
    const hidden = rule(
      'forbid (principal == User::"bob", action == Action::"work.see", resource)',
    );
    const gains = await gainsOf(hidden, NOTHING);
    expect(gains.filter((gain) => gain.includes('user:bob')).join('\n')).toMatch(/work\.see/u);
  });

  it('are none when they let nobody speak for others, which no rule can', async () => {
    const speak =
      'permit (principal, action == Action::"work.speak", resource == Work::"user:eve")';
    const gains = await gainsOf(NOTHING, rule(speak));
    expect(gains.filter((gain) => !gain.startsWith('POSSIBLE'))).toEqual([]);
  });
});
