import { memo } from 'react';
import { lexer } from 'marked';
import { visibleText } from '@palyra/kernel';
import { Blocks } from './blocks.tsx';
import { isReadable } from './readable.ts';

/**
 * Markdown of a model as elements of our own: nothing of it becomes HTML, no address is opened and
 * no image is loaded.
 */
export const Markdown = memo(function Markdown({ text }: { readonly text: string }) {
  return (
    <div className="flex min-w-0 flex-col gap-3 leading-relaxed wrap-anywhere">
      {isReadable(text) ? (
        <Blocks tokens={lexer(text)} />
      ) : (
        <p className="whitespace-pre-wrap">{visibleText(text)}</p>
      )}
    </div>
  );
});
