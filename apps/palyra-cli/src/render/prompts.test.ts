import { create } from '@bufbuild/protobuf';
import { RunSchema, SessionSchema } from '@palyra/protocol';
import { expect, it } from 'vitest';
import { recordedTerminal } from '../../testing/recorded-terminal.ts';
import { sessionWords } from '../chat/sessions.ts';
import type { Terminal } from '../terminal.ts';
import { printRun } from './run-fields.ts';
import { printRuns } from './runs.ts';
import { printSession, printSessions } from './sessions.ts';

const PROMPT = 'key sk-ant-api03-CANARY00112233445566 password=hunter2canary';
const RUN = create(RunSchema, { runId: 'RUN', prompt: PROMPT });
const SESSION = create(SessionSchema, { sessionId: 'SESSION', title: PROMPT });

it.each<[string, (terminal: Terminal) => void]>([
  ['the list of runs', (terminal) => printRuns(terminal, [RUN])],
  ['one run', (terminal) => printRun(terminal, RUN)],
  ['the list of sessions', (terminal) => printSessions(terminal, [SESSION])],
  ['one session', (terminal) => printSession(terminal, SESSION)],
  ['the session of a chat', (terminal) => terminal.print(sessionWords(SESSION))],
])('%s shows a prompt without its secrets', (_, print) => {
  const { terminal, stdout } = recordedTerminal();
  print(terminal);
  expect(stdout()).toContain('key [redacted] password=[redacted]');
});
