import { type ReactNode, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { onEnded } from '../session/ended.ts';
import { ENDED, type Entered } from '../session/enter.ts';
import { Console } from './console.tsx';
import { OtherLink } from './other-link.tsx';
import { SignIn } from './sign-in.tsx';

/** Contract: once for each page. */
export function show(entered: Entered): void {
  const place = document.getElementById('console');
  if (place === null) throw new Error('the page has no place for the console');
  const root = createRoot(place);
  const draw = (page: ReactNode) => root.render(<StrictMode>{page}</StrictMode>);
  onEnded(() => draw(<SignIn trouble={ENDED} />));
  switch (entered.is) {
    case 'known':
      return draw(<Console caller={entered.caller} />);
    case 'asked':
      return draw(
        <OtherLink {...entered} onStay={() => draw(<Console caller={entered.caller} />)} />,
      );
    case 'stranger':
      return draw(<SignIn trouble={entered.trouble} />);
  }
}
