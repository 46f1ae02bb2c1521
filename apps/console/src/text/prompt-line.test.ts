import { expect, it } from 'vitest';
import { promptLine } from './prompt-line.ts';

it('shows a prompt in one line, without its secrets', () => {
  const prompt = 'deploy\nwith sk-ant-api03-CANARY00112233445566 password=hunter2canary';
  const line = promptLine(prompt);
  expect(line).not.toMatch(/CANARY|hunter2|\n/);
  expect(line).toContain('[redacted]');
});
