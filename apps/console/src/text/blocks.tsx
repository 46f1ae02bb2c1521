import type { MarkedToken, Token, Tokens } from 'marked';
import { visibleText } from '@palyra/kernel';
import { CodeBlock } from '@palyra/ui';
import { Inlines } from './inlines.tsx';
import { isKnown } from './known-token.ts';

export interface BlocksProps {
  readonly tokens: readonly Token[];
}

export function Blocks({ tokens }: BlocksProps) {
  return tokens.map((token, place) => (
    // Blocks have no name but their place, and only the last one changes.
    <Block key={place} token={token} />
  ));
}

function Block({ token }: { readonly token: Token }) {
  if (!isKnown(token)) return <p className="whitespace-pre-wrap">{visibleText(token.raw)}</p>;
  return <KnownBlock token={token} />;
}

function KnownBlock({ token }: { readonly token: MarkedToken }) {
  switch (token.type) {
    case 'space':
    case 'def':
      return null;
    case 'hr':
      return <hr className="border-line" />;
    case 'heading':
      return <Heading token={token} />;
    case 'paragraph':
      return (
        <p>
          <Inlines tokens={token.tokens} />
        </p>
      );
    case 'code':
      return <CodeBlock text={token.text} label={labelOf(token.lang)} />;
    case 'blockquote':
      return (
        <blockquote className="flex flex-col gap-3 border-l-2 border-strong-line/60 pl-3 text-soft">
          <Blocks tokens={token.tokens} />
        </blockquote>
      );
    case 'list':
      return <List token={token} />;
    case 'table':
      return <MarkdownTable token={token} />;
    case 'html':
      return <p className="whitespace-pre-wrap">{visibleText(token.raw.trimEnd())}</p>;
    case 'list_item':
      return <Blocks tokens={token.tokens} />;
    case 'text':
    case 'checkbox':
    case 'br':
    case 'codespan':
    case 'del':
    case 'em':
    case 'escape':
    case 'image':
    case 'link':
    case 'strong':
      return (
        <span>
          <Inlines tokens={[token]} />
        </span>
      );
  }
}

/** The page has its own headings; those of a text are below them, and all look alike. */
function Heading({ token }: { readonly token: Tokens.Heading }) {
  return (
    <p className={token.depth <= 2 ? 'mt-1 text-base font-semibold' : 'mt-1 font-semibold'}>
      <Inlines tokens={token.tokens} />
    </p>
  );
}

function List({ token }: { readonly token: Tokens.List }) {
  const items = token.items.map((item, place) => (
    <li key={place} className={item.task ? 'list-none' : ''}>
      <div className="flex flex-col gap-2">
        <Blocks tokens={item.tokens} />
      </div>
    </li>
  ));
  const look = 'flex flex-col gap-1 pl-5 marker:text-soft';
  return token.ordered ? (
    <ol start={token.start === '' ? 1 : token.start} className={`list-decimal ${look}`}>
      {items}
    </ol>
  ) : (
    <ul className={`list-disc ${look}`}>{items}</ul>
  );
}

function MarkdownTable({ token }: { readonly token: Tokens.Table }) {
  return (
    <div
      className="overflow-x-auto rounded-lg border border-line [overflow-wrap:normal]"
      tabIndex={0}
      role="group"
      aria-label="Table"
    >
      <table className="w-full text-left text-sm">
        <thead>
          <tr className="border-b border-line bg-raised">
            {token.header.map((cell, place) => (
              <th key={place} scope="col" className="min-w-28 px-3 py-1.5 font-medium">
                <Inlines tokens={cell.tokens} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {token.rows.map((row, place) => (
            <tr key={place}>
              {row.map((cell, column) => (
                <td
                  key={column}
                  className="min-w-28 max-w-96 px-3 py-1.5 align-top wrap-break-word"
                >
                  <Inlines tokens={cell.tokens} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function labelOf(language: string | undefined): string {
  const name = visibleText(language ?? '', 'one-line')
    .trim()
    .slice(0, 40);
  return name === '' ? 'code' : `${name} code`;
}
