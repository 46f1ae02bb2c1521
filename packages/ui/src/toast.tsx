import {
  type ComponentType,
  type ReactNode,
  Suspense,
  createContext,
  use,
  useCallback,
  useMemo,
  useState,
} from 'react';
import { PalyraError } from '@palyra/kernel';
import type { Note, NoticesProps } from './notices.tsx';

export interface Toasts {
  /** Something was done. */
  tell(text: string): void;
  /** Something was not. */
  tellProblem(reason: unknown): void;
}

const Context = createContext<Toasts>({ tell() {}, tellProblem() {} });

/** More than these would hide the page; the oldest goes. */
const MOST_NOTES = 4;

export interface ToastProviderProps {
  /** `Notices`, which may well be loaded after the page: there is nothing to tell before. */
  readonly notices: ComponentType<NoticesProps>;
  readonly children: ReactNode;
}

export function ToastProvider({ notices: Notices, children }: ToastProviderProps) {
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
      {children}
      <Suspense>
        <Notices notes={notes} onOver={remove} />
      </Suspense>
    </Context>
  );
}

export function useToasts(): Toasts {
  return use(Context);
}
