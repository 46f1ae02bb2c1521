import { type Draft, EMPTY } from './draft.ts';

export interface ShownSession {
  readonly sessionId: string;
  readonly title: string;
  readonly changedAt: string;
}

/** Sessions to choose from, narrowed by what is typed. */
export interface Picker {
  readonly sessions: readonly ShownSession[];
  readonly filter: Draft;
  readonly selected: number;
}

export function pickerOf(sessions: readonly ShownSession[]): Picker {
  return { sessions, filter: EMPTY, selected: 0 };
}

export function found({ sessions, filter }: Picker): readonly ShownSession[] {
  const words = filter.text.toLowerCase().split(/\s+/);
  return sessions.filter(({ title, sessionId }) => {
    const text = `${title} ${sessionId}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

export function chosen(picker: Picker): ShownSession | undefined {
  return found(picker)[picker.selected];
}

export function moveBy(picker: Picker, places: number): Picker {
  const last = Math.max(found(picker).length - 1, 0);
  return { ...picker, selected: Math.min(Math.max(picker.selected + places, 0), last) };
}

/** Another filter finds others: the first of them is selected. */
export function narrow(picker: Picker, filter: Draft): Picker {
  return { ...picker, filter, selected: 0 };
}
