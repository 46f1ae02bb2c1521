import { type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import { classes } from './classes.ts';

/** Shows the beginning of something tall, with a button for all of it. */
export function Clamp({ children }: { readonly children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null);
  const [isTall, setIsTall] = useState(false);
  const [isOpen, setIsOpen] = useState(false);
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return undefined;
    const look = () => setIsTall(element.scrollHeight > MAX_HEIGHT + 1);
    look();
    const observer = new ResizeObserver(look);
    observer.observe(element);
    return () => observer.disconnect();
  }, [children]);
  return (
    <div>
      <div ref={box} className={classes(!isOpen && 'max-h-[22rem] overflow-hidden')}>
        {children}
      </div>
      {isTall ? (
        <button
          type="button"
          aria-expanded={isOpen}
          onClick={() => setIsOpen(!isOpen)}
          className="w-full border-t border-line py-1.5 text-xs font-medium text-accent hover:underline"
        >
          {isOpen ? 'Show less' : 'Show all'}
        </button>
      ) : null}
    </div>
  );
}

/** 22 rem. */
const MAX_HEIGHT = 352;
