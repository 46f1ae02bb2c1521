import type { MarkedToken, Token } from 'marked';
import { visibleText } from '@palyra/kernel';
import { isKnown } from './known-token.ts';
import { Link } from './link.tsx';
import { plainText } from './plain-text.ts';

export function Inlines({ tokens }: { readonly tokens: readonly Token[] | undefined }) {
  return tokens?.map((token, place) =>
    // Words have no name but their place.
    isKnown(token) ? <Inline key={place} token={token} /> : visibleText(token.raw),
  );
}

function Inline({ token }: { readonly token: MarkedToken }) {
  switch (token.type) {
    case 'strong':
      return (
        <strong className="font-semibold">
          <Inlines tokens={token.tokens} />
        </strong>
      );
    case 'em':
      return (
        <em>
          <Inlines tokens={token.tokens} />
        </em>
      );
    case 'del':
      return (
        <del>
          <Inlines tokens={token.tokens} />
        </del>
      );
    case 'codespan':
      return <Code text={token.text} />;
    case 'br':
      return <br />;
    case 'link':
      return (
        <Link address={token.href} name={plainText(token.tokens)}>
          <Inlines tokens={token.tokens} />
        </Link>
      );
    case 'image':
      return <NamedImage address={token.href} name={token.text} />;
    case 'text':
      return 'tokens' in token && token.tokens !== undefined ? (
        <Inlines tokens={token.tokens} />
      ) : (
        visibleText(token.text)
      );
    case 'escape':
      return visibleText(token.text);
    case 'checkbox':
      return <span>{token.checked ? '☑ ' : '☐ '}</span>;
    case 'html':
    case 'blockquote':
    case 'code':
    case 'def':
    case 'heading':
    case 'hr':
    case 'list':
    case 'list_item':
    case 'paragraph':
    case 'space':
    case 'table':
      return visibleText(token.raw);
  }
}

function Code({ text }: { readonly text: string }) {
  return (
    <code className="rounded bg-raised px-1 py-px text-[0.875em]">
      {visibleText(text, 'one-line')}
    </code>
  );
}

interface NamedImageProps {
  readonly address: string;
  readonly name: string;
}

/** Loading it would tell somebody outside that it was read; so it is only named. */
function NamedImage({ address, name }: NamedImageProps) {
  return (
    <Link address={address} name={name}>
      Image: {visibleText(name === '' ? 'without a name' : name, 'one-line')}
    </Link>
  );
}
