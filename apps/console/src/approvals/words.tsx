/** A sentence of the gateway's, in which what stands between backticks is spelled as it is. */
export function Words({ text }: { readonly text: string }) {
  return text.split(/`([^`]*)`/).map((part, place) =>
    // Every second part stood between two of them.
    place % 2 === 0 ? part : <code key={place}>{part}</code>,
  );
}
