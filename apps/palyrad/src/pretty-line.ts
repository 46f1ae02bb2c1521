import { styleText } from 'node:util';
import { isJsonObject, visibleText } from '@palyra/kernel';

const LEVEL_COLOURS = { debug: 'gray', info: 'green', warn: 'yellow', error: 'red' } as const;

/** One line for a person from one line of JSON. Values may come from anywhere: none can draw. */
export function prettyLine(json: string): string {
  const parsed: unknown = JSON.parse(json);
  if (!isJsonObject(parsed)) return json;
  const { level, time, message, ...fields } = parsed;
  const parts = [
    paint('gray', show(time).slice(11, 23)),
    paintLevel(show(level)),
    show(message),
    ...Object.entries(fields).map(([name, value]) => `${paint('gray', `${name}=`)}${show(value)}`),
  ];
  return `${parts.join(' ')}\n`;
}

function paintLevel(level: string): string {
  const label = level.padEnd(5);
  switch (level) {
    case 'debug':
    case 'info':
    case 'warn':
    case 'error':
      return paint(LEVEL_COLOURS[level], label);
  }
  return label;
}

function paint(colour: 'gray' | 'green' | 'yellow' | 'red', text: string): string {
  return styleText(colour, text, { stream: process.stderr });
}

function show(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return visibleText(text, 'one-line');
}
