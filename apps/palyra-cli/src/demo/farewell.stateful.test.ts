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
    const [command = ''] = lines[0]?.split(' < ') ?? [];
    const input = 'sk-0123456789\n';
    const ended = await cli(command.split(' '), { environment, input });
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    expect(ended.stdout).toMatch(/is set in .*\n.*it counts from the next start/s);
    expect(ended.stdout).not.toContain('answers');
    const { code, stdout } = await cli(['config', 'show', '--json'], { environment });
    expect(code).toBe(0);
    expect(stdout).toContain(`"${provider}"`);
  });
});
