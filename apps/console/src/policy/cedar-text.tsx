import { useMemo } from 'react';
import { visibleText } from '@palyra/kernel';
import { type TokenKind, cedarTokens } from './cedar-tokens.ts';

const LOOKS: Readonly<Record<TokenKind, string>> = {
  comment: 'text-soft italic',
  string: 'text-good',
  keyword: 'text-accent font-medium',
  annotation: 'text-wait',
  entity: 'text-bad',
  number: 'text-wait',
  plain: '',
};

/** Rules with their words told apart. */
export function CedarText({ source }: { readonly source: string }) {
  const tokens = useMemo(() => cedarTokens(source), [source]);
  return tokens.map(({ kind, text }, index) => (
    // Words of a text have no name but their place.
    <span key={index} className={LOOKS[kind]}>
      {visibleText(text)}
    </span>
  ));
}

export function CedarBlock({ source, label }: { readonly source: string; readonly label: string }) {
  return (
    <pre
      tabIndex={0}
      aria-label={label}
      className="overflow-x-auto rounded-lg border border-line bg-raised p-3 text-[0.8125rem] leading-relaxed"
    >
      <CedarText source={source} />
    </pre>
  );
}
