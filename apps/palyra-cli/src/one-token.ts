import { PalyraError } from '@palyra/kernel';
import { type Token, TokenSchema } from '@palyra/protocol';
import { type Invocation, wantsJson } from './command.ts';
import type { Exit } from './exit-codes.ts';
import type { People } from './people.ts';
import { tokenFields } from './render/access.ts';
import { printFields } from './render/layout.ts';
import { inline } from './render/words.ts';
import { wireJson } from './wire-json.ts';

/** Shows the token that a call answered with. */
export function showToken(invocation: Invocation, token: Token | undefined, people: People): Exit {
  const { terminal } = invocation.shell;
  const shown = known(token);
  if (wantsJson(invocation)) terminal.json('token', { token: wireJson(TokenSchema, shown) });
  else printFields(terminal, tokenFields(shown, people));
  return 'ok';
}

/** Shows a new secret, which nobody can see again. With `--quiet` nothing else goes to the output. */
export function showSecret(
  invocation: Invocation,
  { token, secret }: { readonly token?: Token | undefined; readonly secret: string },
  people: People,
): Exit {
  const { terminal } = invocation.shell;
  const shown = known(token);
  if (wantsJson(invocation)) {
    terminal.json('token', { token: wireJson(TokenSchema, shown), secret });
  } else if (invocation.flags.has('quiet')) {
    terminal.print(inline(secret));
  } else {
    terminal.print(terminal.paint('strong', inline(secret)));
    terminal.note('\nkeep it now: it is shown this once\n');
    printFields(terminal, tokenFields(shown, people));
  }
  return 'ok';
}

function known(token: Token | undefined): Token {
  if (token !== undefined) return token;
  throw new PalyraError('UNEXPECTED', 'the gateway answered without a token');
}
