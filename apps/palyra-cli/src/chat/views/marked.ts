import { Box, type BoxProps } from 'ink';
import { type ReactNode, createElement as h } from 'react';
import type { Look } from './look.ts';

export interface MarkedProps {
  readonly look: Look;
  readonly mark: 'foreign' | 'question' | 'quote';
  readonly children?: ReactNode;
}

const BARS = {
  foreign: { borderStyle: 'single', colour: undefined },
  question: { borderStyle: 'bold', colour: 'yellow' },
  quote: { borderStyle: 'single', colour: undefined },
} as const;

/** What is not ours to say stands behind a mark on every line, which it cannot draw itself out of. */
export function Marked({ look, mark, children }: MarkedProps) {
  const { borderStyle, colour } = BARS[mark];
  const colours: BoxProps = !look.hasColour
    ? {}
    : colour === undefined
      ? { borderDimColor: true }
      : { borderColor: colour };
  const bar = { borderStyle, borderTop: false, borderRight: false, borderBottom: false } as const;
  return h(Box, { ...bar, ...colours, paddingLeft: 1, flexDirection: 'column' }, children);
}
