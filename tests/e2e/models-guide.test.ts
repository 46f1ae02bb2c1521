import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock } from '@palyra/kernel';
import { createModel } from '@palyra/models';
import { quietLog, tempHome, verifies } from '@palyra/testkit';
import { describe, expect, it } from 'vitest';
import { loadSettings } from '../../apps/palyrad/src/sections.ts';
import { helpFor, helpPaths } from '../../apps/palyra-cli/src/help.ts';
import { ROOT } from './harness.ts';

const GUIDE = readFileSync(join(ROOT, 'docs/guides/models.md'), 'utf8');

/** Blocks of a language, each under the heading above it. */
function blocksOf(language: string): readonly (readonly [string, string])[] {
  return GUIDE.split(/^#+ /m).flatMap((part) => {
    const [heading = ''] = part.split('\n', 1);
    const fence = new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm');
    return Array.from(part.matchAll(fence), ([, text = '']) => [heading, text] as const);
  });
}

/** Keys that whoever follows the guide has. */
const KEYS = {
  OPENAI_API_KEY: 'test-key',
  ANTHROPIC_API_KEY: 'test-key',
  GEMINI_API_KEY: 'test-key',
  OPENROUTER_API_KEY: 'test-key',
};

describe('the guide to models', () => {
  it('has every server that people ask for', verifies('docs:guides-hold'), () => {
    const headings = blocksOf('toml').map(([heading]) => heading);
    expect(headings).toEqual([
      'OpenAI',
      'Anthropic',
      'Google',
      'OpenRouter',
      'Ollama',
      'vLLM',
      'llama.cpp',
      'LM Studio',
      'More than one',
      'What it costs',
      'Thinking',
    ]);
  });

  it.each(blocksOf('toml'))(
    'shows a configuration that a gateway starts with: %s',
    verifies('docs:guides-hold'),
    async (...block) => {
      await using home = await tempHome();
      const { places } = home;
      await mkdir(places.configDir, { mode: 0o700 });
      await writeFile(places.configFile, block[1], { mode: 0o600 });
      const { config } = loadSettings({ environment: {}, places, workspaceDir: home.path }, {});
      const parts = {
        environment: KEYS,
        workspaces: [],
        own: [],
        clock: systemClock(),
        log: quietLog(),
      };
      using model = await createModel({ settings: config.models, ...parts });
      expect(model.name).toBe(`${config.models.provider}:${config.models.model}`);
    },
  );

  it.each(blocksOf('sh').flatMap(([, text]) => text.trimEnd().split('\n')))(
    'shows a command that exists: %s',
    verifies('docs:guides-hold'),
    (line) => {
      const words = line.split(' ').slice(1);
      const path = helpPaths().findLast((each) => each.every((word, at) => words[at] === word));
      const help = helpFor(path ?? []);
      const options = help?.options.map(({ name }) => name) ?? [];
      expect(help?.subcommands).toEqual([]);
      expect(words.filter((word) => word.startsWith('--') && !options.includes(word))).toEqual([]);
    },
  );
});
