import { Box, Text } from 'ink';
import { createElement as h } from 'react';
import { type KeyHint, keyHints, widerHints } from '../../approval-keys.ts';
import { leftWords } from '../../render/approvals.ts';
import { callLine } from '../../render/command-line.ts';
import { cut } from '../../render/text-width.ts';
import { inline } from '../../render/words.ts';
import type { Question } from '../question.ts';
import { type Look, cursorOn } from './look.ts';
import { Marked } from './marked.ts';

export interface QuestionProps {
  readonly look: Look;
  readonly question: Question;
  readonly hasFocus: boolean;
  readonly now: number;
}

/** What the keys do. The call itself stands above, in the transcript, at its full length. */
export function QuestionView({ look, question, hasFocus, now }: QuestionProps) {
  const { shown, mode } = question;
  const left = `${leftWords(shown.approval, new Date(now))} left`;
  const { paint } = look;
  const call = callName(question, look);
  if (!hasFocus) {
    const line = `${paint('warning', 'let it run?')} ${paint('quiet', `${left} · Tab answers`)}`;
    return h(Marked, { look, mark: 'question' }, h(Text, null, `${call}${line}`));
  }
  switch (mode.at) {
    case 'keys': {
      const head = `${call}${paint('strong', 'let it run?')} ${paint('quiet', left)}`;
      return h(Card, { look, head, hints: keyHints(shown) });
    }
    case 'shapes': {
      const head = `${paint('strong', 'yes, in this session, for')} ${paint('quiet', 'Esc: back')}`;
      return h(Card, { look, head, hints: widerHints(shown) });
    }
    case 'why': {
      const text = inline(mode.why.text);
      const head = `${paint('strong', 'why not?')} ${paint('quiet', 'the model is told; Enter for no reason')}`;
      return h(
        Marked,
        { look, mark: 'question' },
        h(Text, null, head),
        h(Text, null, `${paint('accent', '›')} ${text}${cursorOn(' ')}`),
      );
    }
  }
}

/** Columns that the words beside the call take at most, with the mark. */
const BESIDE = 46;

/** Which call is meant, where the transcript has gone on since. */
function callName({ shown }: Question, { paint, columns }: Look): string {
  const { proposal } = shown.approval;
  if (proposal === undefined) return '';
  const name = cut(
    `${inline(proposal.tool)} ${callLine(proposal)}`,
    Math.max(columns - BESIDE, 16),
  );
  return `${paint('strong', name)} — `;
}

interface CardProps {
  readonly look: Look;
  readonly head: string;
  readonly hints: readonly KeyHint[];
}

function Card({ look, head, hints }: CardProps) {
  const rows = hints.map(({ key, says }) =>
    h(
      Box,
      { key },
      h(Box, { width: 3, flexShrink: 0 }, h(Text, null, look.paint('accent', key))),
      h(Box, { flexShrink: 1 }, h(Text, null, says)),
    ),
  );
  return h(Marked, { look, mark: 'question' }, h(Text, null, head), ...rows);
}
