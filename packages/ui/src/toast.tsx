import { Toast as Radix } from 'radix-ui';
import { type ReactNode, createContext, use, useCallback, useMemo, useState } from 'react';
import { PalyraError } from '@palyra/kernel';
import { classes } from './classes.ts';

interface Note {
  readonly key: number;
  readonly tone: 'good' | 'bad';
  readonly text: string;
  readonly help: string | undefined;
}

export interface Toasts {
  /** Something was done. */
  tell(text: string): void;
  /** Something was not. */
  tellProblem(reason: unknown): void;
}

const Context = createContext<Toasts>({ tell() {}, tellProblem() {} });

/** More than these would hide the page; the oldest goes. */
const MOST_NOTES = 4;

export function ToastProvider({ children }: { readonly children: ReactNode }) {
  const [notes, setNotes] = useState<readonly Note[]>([]);
  const add = useCallback((note: Omit<Note, 'key'>) => {
    setNotes((old) => [...old.slice(1 - MOST_NOTES), { ...note, key: (old.at(-1)?.key ?? 0) + 1 }]);
  }, []);
  const toasts = useMemo<Toasts>(
    () => ({
      tell: (text) => add({ tone: 'good', text, help: undefined }),
      tellProblem(reason) {
        const { message, help } = PalyraError.from(reason);
        add({ tone: 'bad', text: message, help });
      },
    }),
    [add],
  );
  const remove = (key: number) => setNotes((old) => old.filter((note) => note.key !== key));
  return (
    <Context value={toasts}>
      <Radix.Provider label="Notice" duration={6_000}>
        {children}
        {notes.map(({ key, tone, text, help }) => (
          <Radix.Root
            key={key}
            onOpenChange={(isOpen) => (isOpen ? undefined : remove(key))}
            className={classes(
              'rounded-lg border bg-card px-4 py-3 text-sm shadow-float',
              tone === 'bad' ? 'border-bad/50' : 'border-line',
            )}
          >
            <Radix.Title className={tone === 'bad' ? 'font-medium text-bad' : 'font-medium'}>
              {text}
            </Radix.Title>
            {help === undefined ? null : (
              <Radix.Description className="mt-0.5 text-soft">{help}</Radix.Description>
            )}
          </Radix.Root>
        ))}
        <Radix.Viewport className="fixed right-4 bottom-4 z-60 flex w-88 max-w-[calc(100vw-2rem)] flex-col gap-2 outline-none" />
      </Radix.Provider>
    </Context>
  );
}

export function useToasts(): Toasts {
  return use(Context);
}
