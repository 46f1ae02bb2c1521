import { Box, Text } from 'ink';
import { createElement as h } from 'react';

export function Lines({ lines }: { readonly lines: readonly string[] }) {
  const texts = lines.map((line, key) => h(Text, { key }, line === '' ? ' ' : line));
  return h(Box, { flexDirection: 'column' }, ...texts);
}
