import type { SessionSources, BrowserVisit } from './session-routes.ts';
import { answerSession } from './session-routes.ts';
import { PAGE, STYLE } from './page.ts';
import { SCRIPT } from './page-script.ts';
import { writeText } from './small-messages.ts';

interface Document {
  readonly type: string;
  readonly text: string;
}

/** The same for everybody: what a session is needed for, the page asks the API for. */
const DOCUMENTS: ReadonlyMap<string, Document> = new Map([
  ['/', { type: 'text/html; charset=utf-8', text: PAGE }],
  ['/console.css', { type: 'text/css; charset=utf-8', text: STYLE }],
  ['/console.js', { type: 'text/javascript; charset=utf-8', text: SCRIPT }],
]);

/** Contract: `false` for a path that is none of the console's; the request is then untouched. */
export async function answerConsole(
  visit: BrowserVisit,
  path: string,
  sources: SessionSources,
): Promise<boolean> {
  if (path === '/console/session') {
    await answerSession(visit, sources);
    return true;
  }
  const { method } = visit.request;
  const document = method === 'GET' || method === 'HEAD' ? DOCUMENTS.get(path) : undefined;
  if (document === undefined) return false;
  writeText(visit.response, document.type, document.text);
  return true;
}
