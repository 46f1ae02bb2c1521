// Runs inside a sandbox, by a Node that was put there: tries a placeholder everywhere, prints what came.
import { readFileSync } from 'node:fs';

const [own = '', other = '', plain = ''] = process.argv.slice(2);
const token = process.env['API_TOKEN'] ?? '';
const bearer = { authorization: `Bearer ${token}` };

async function ask(url: string, init: RequestInit = {}): Promise<string> {
  try {
    const answer = await fetch(url, init);
    return `${answer.status} ${(await answer.text()).trim()}`;
  } catch {
    return 'cut off';
  }
}

const seen = {
  token,
  environment: readFileSync('/proc/self/environ', 'utf8')
    .split('\0')
    .filter((each) => each.startsWith('API_')),
  used: await ask(`${own}/v1/a`, { headers: bearer }),
  method: await ask(`${own}/v1/a`, { method: 'POST', headers: bearer }),
  path: await ask(`${own}/v2/a`, { headers: bearer }),
  query: await ask(`${own}/v1/a?t=${token}`),
  other: await ask(`${other}/v1/a`, { headers: bearer }),
  clear: await ask(`${plain}/v1/a`, { headers: bearer }),
  echo: await ask(`${own}/v1/echo`, { headers: bearer }),
  without: await ask(`${own}/v1/b`),
};
process.stdout.write(JSON.stringify(seen));
