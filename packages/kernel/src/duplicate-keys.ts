/**
 * The first key that an object in this text names twice. Readers disagree about which of the two
 * counts, so what one of them judges another might not execute.
 * Contract: the text is valid JSON; `undefined` when every key stands once.
 */
export function duplicateKey(json: string): string | undefined {
  const open: Set<string>[] = [];
  for (let place = 0; place < json.length; place += 1) {
    const character = json[place];
    if (character === '{' || character === '[') open.push(new Set());
    else if (character === '}' || character === ']') open.pop();
    if (character !== '"') continue;
    const end = endOfString(json, place);
    const key = isKey(json, end) ? readString(json.slice(place, end)) : undefined;
    const seen = open.at(-1);
    place = end - 1;
    if (key === undefined || seen === undefined) continue;
    if (seen.has(key)) return key;
    seen.add(key);
  }
  return undefined;
}

/** The place after the closing quote. */
function endOfString(json: string, start: number): number {
  let place = start + 1;
  while (place < json.length && json[place] !== '"') place += json[place] === '\\' ? 2 : 1;
  return place + 1;
}

function isKey(json: string, after: number): boolean {
  let place = after;
  while (' \n\t\r'.includes(json[place] ?? '-')) place += 1;
  return json[place] === ':';
}

/** Compared as it reads, not as it was spelled. */
function readString(text: string): string | undefined {
  const value: unknown = JSON.parse(text);
  return typeof value === 'string' ? value : undefined;
}
