import type { ListEntriesRequest } from '@palyra/protocol';

/** What of the journal is shown, as it stands in the address: links such as `/journal?run=ID` work. */
export interface JournalFilter {
  /** Whole kinds, or beginnings of kinds with their dot; commas between them. */
  readonly kind?: string;
  readonly actor?: string;
  readonly run?: string;
  readonly session?: string;
  /** RFC 3339, as the next one. */
  readonly from?: string;
  readonly until?: string;
  readonly text?: string;
}

const FIELDS = ['kind', 'actor', 'run', 'session', 'from', 'until', 'text'] as const;
export type FilterField = (typeof FIELDS)[number];

/** Reads what stands in an address. Contract: whatever is no filter is left out, what is empty too. */
export function readFilter(search: Readonly<Record<string, unknown>>): JournalFilter {
  const read: { -readonly [Field in FilterField]?: string } = {};
  for (const field of FIELDS) {
    const value = search[field];
    // The router reads digits as a number.
    const text = typeof value === 'number' ? String(value) : value;
    if (typeof text === 'string' && text.trim() !== '') read[field] = text.trim();
  }
  return read;
}

export function withField(filter: JournalFilter, field: FilterField, value: string): JournalFilter {
  return readFilter({ ...filter, [field]: value });
}

export function setFields(
  filter: JournalFilter,
): readonly (readonly [field: FilterField, value: string])[] {
  return FIELDS.flatMap((field) => {
    const value = filter[field];
    return value === undefined ? [] : [[field, value] as const];
  });
}

export function isEmptyFilter(filter: JournalFilter): boolean {
  return setFields(filter).length === 0;
}

/** Equal filters give equal text. */
export function filterKey(filter: JournalFilter): string {
  return JSON.stringify(setFields(filter));
}

export function kindsIn({ kind = '' }: JournalFilter): readonly string[] {
  return kind
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '');
}

export function withKind(filter: JournalFilter, kind: string): JournalFilter {
  return withField(filter, 'kind', [...new Set([...kindsIn(filter), kind])].join(','));
}

export function withoutKind(filter: JournalFilter, kind: string): JournalFilter {
  const rest = kindsIn(filter).filter((each) => each !== kind);
  return withField(filter, 'kind', rest.join(','));
}

type Asked = Pick<
  ListEntriesRequest,
  'kinds' | 'actor' | 'runId' | 'sessionId' | 'since' | 'until' | 'text'
>;

export function askedBy(filter: JournalFilter): Asked {
  return {
    kinds: [...kindsIn(filter)],
    actor: filter.actor ?? '',
    runId: filter.run ?? '',
    sessionId: filter.session ?? '',
    since: filter.from ?? '',
    until: filter.until ?? '',
    text: filter.text ?? '',
  };
}
