import { describe, expect, it } from 'vitest';
import { recordedTerminal } from '../testing/recorded-terminal.ts';
import { COMMANDS, GROUPS } from './catalogue.ts';
import { execute } from './program.ts';

describe('the help', () => {
  it.each([[], ...GROUPS.map(({ path }) => path), ...COMMANDS.map(({ path }) => path)])(
    'of `palyra %s %s` has an example and fits a terminal',
    async (...path) => {
      const { terminal, stdout, stderr } = recordedTerminal();
      const words = [...path.filter((word) => word !== undefined), '--help'];
      const exit = await execute(words, { terminal, environment: {}, entryFile: '' });
      expect({ exit, stderr: stderr() }).toEqual({ exit: 'ok', stderr: '' });
      expect(stdout()).toMatch(/\nExamples:\n {2}\S/);
      expect(
        Math.max(
          ...stdout()
            .split('\n')
            .map((line) => line.length),
        ),
      ).toBeLessThan(81);
    },
  );
});
