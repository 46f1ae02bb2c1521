import type { BrowserVisit, SessionSources } from './session-routes.ts';
import { answerSession } from './session-routes.ts';
import { START, type SiteFile, type SiteFiles } from './site-files.ts';
import { writeText } from './small-messages.ts';

export interface ConsoleSources extends SessionSources {
  readonly site: SiteFiles;
}

/**
 * The same for everybody: what a session is needed for, the page asks the API for.
 * Contract: `false` for a path that is none of the console's; the request is then untouched.
 */
export async function answerConsole(
  visit: BrowserVisit,
  path: string,
  sources: ConsoleSources,
): Promise<boolean> {
  if (path === '/console/session') {
    await answerSession(visit, sources);
    return true;
  }
  const { method } = visit.request;
  if (method !== 'GET' && method !== 'HEAD') return false;
  const file = await sources.site.find(isPlace(visit, path) ? START : path);
  if (file !== undefined) {
    await sendFile(visit, file, sources.site);
    return true;
  }
  if (!isPlace(visit, path)) return false;
  writeText(visit.response, 'text/html; charset=utf-8', NOT_BUILT);
  return true;
}

const PLACE = /^\/(?:[a-z]{1,20}(?:\/[\w:.-]{1,100}){0,3})?$/;
const NO_PLACES: ReadonlySet<string> = new Set(['/healthz', '/readyz']);

/** Whether somebody goes to a page of the console; which pages there are, only the console knows. */
function isPlace({ request }: BrowserVisit, path: string): boolean {
  const accepts = request.headers.accept ?? '';
  return accepts.includes('text/html') && PLACE.test(path) && !NO_PLACES.has(path);
}

const YEAR_SECONDS = 31_536_000;

async function sendFile({ request, response }: BrowserVisit, file: SiteFile, site: SiteFiles) {
  const accepted = request.headers['accept-encoding'] ?? '';
  const encoding = file.brotli !== undefined && /\bbr\b/.test(accepted) ? 'brotli' : 'plain';
  const content = await site.read(file, encoding);
  if (encoding === 'brotli') response.setHeader('content-encoding', 'br');
  if (file.brotli !== undefined) response.setHeader('vary', 'accept-encoding');
  if (file.isForever) {
    response.setHeader('cache-control', `public, max-age=${YEAR_SECONDS}, immutable`);
  }
  response.writeHead(200, { 'content-type': file.type, 'content-length': content.length });
  response.end(request.method === 'HEAD' ? '' : content);
}

const NOT_BUILT = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Palyra</title>
<h1>The console is not built</h1>
<p>Run <code>npm run build</code> where Palyra is checked out, then load this page again.</p>
</html>
`;
