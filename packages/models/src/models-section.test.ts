import { describe, expect, it } from 'vitest';
import { modelsSection } from './models-section.ts';

describe('the section `models`', () => {
  it('plays the built-in script unless told otherwise', () => {
    expect(modelsSection.parse({})).toEqual({ provider: 'script', script: '' });
  });

  it('takes the absolute path of a script', () => {
    expect(modelsSection.parse({ script: '/srv/a.json' }).script).toBe('/srv/a.json');
  });

  it.each([
    [{ provider: 'openai' }],
    [{ script: 'a.json' }],
    [{ script: './a.json' }],
    [{ script: 1 }],
    [{ script: `/${'a'.repeat(4096)}` }],
    [{ scripts: '/srv/a.json' }],
  ])('refuses %j', (section) => {
    expect(modelsSection.safeParse(section).success).toBe(false);
  });

  it('describes every key', () => {
    for (const schema of Object.values(modelsSection.shape)) {
      expect(schema.description).toMatch(/^[a-z]/);
    }
  });
});
