import { tempHome } from '@palyra/testkit';
import { describe, expect, it } from 'vitest';
import { cli } from '../../testing/cli.ts';
import { WITHOUT_A_KEY, WITH_A_KEY } from './narrator.ts';

describe('what the demo says about a real model', () => {
  it.each([
    ['with a key', WITH_A_KEY, 'anthropic'],
    ['on this machine', WITHOUT_A_KEY, 'openai'],
  ])('can be typed as it stands, %s', async (_, lines: readonly string[], provider) => {
    await using home = await tempHome();
    const environment = { PALYRA_HOME: home.path };
    for (const line of lines.filter((each) => each.startsWith('config set '))) {
      expect(await cli(line.split(' '), { environment })).toMatchObject({ code: 0, stderr: '' });
    }
    const { code, stdout } = await cli(['config', 'show', '--json'], { environment });
    expect(code).toBe(0);
    expect(stdout).toContain(`"${provider}"`);
  });
});
