import type { ReactNode } from 'react';
import { visibleText } from '@palyra/kernel';
import { safeLink } from './safe-link.ts';

export interface LinkProps {
  readonly address: string;
  /** What it is called, in text. */
  readonly name: string;
  readonly children: ReactNode;
}

/** A link that a model wrote: always with the address to which it leads. */
export function Link({ address, name, children }: LinkProps) {
  const href = safeLink(address);
  if (href === undefined) {
    return (
      <span>
        {children}
        {name === address ? null : <Address text={address} />}
      </span>
    );
  }
  const isPlain = [address, href, decodedMail(href)].includes(name) || `${name}/` === href;
  return (
    <>
      <a
        href={href}
        target="_blank"
        rel="noopener noreferrer"
        className="text-accent underline decoration-accent/40 underline-offset-2 hover:decoration-accent"
      >
        {isPlain ? visibleText(href, 'one-line') : children}
      </a>
      {isPlain ? null : <Address text={href} />}
    </>
  );
}

function Address({ text }: { readonly text: string }) {
  return <span className="text-soft wrap-anywhere"> ({visibleText(text, 'one-line')})</span>;
}

function decodedMail(href: string): string {
  return href.replace(/^mailto:/, '');
}
