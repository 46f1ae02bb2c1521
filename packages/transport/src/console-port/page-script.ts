/**
 * What the plain page does. Text reaches the page as text only, every address is fixed here, and
 * the secret of a link is taken out of the address bar before anything else happens. The secret of
 * the session is kept where only pages of this very port can read it.
 */
export const SCRIPT = `'use strict';
const byId = (id) => document.getElementById(id);

const KEPT = 'palyra.session';

async function ask(path, options) {
  const response = await fetch(path, { credentials: 'same-origin', ...options });
  if (!response.ok) throw new Error(String(response.status));
  return response.json();
}

async function enter() {
  const link = /^#link=([A-Za-z0-9_-]+)$/.exec(location.hash);
  if (location.hash !== '') history.replaceState(null, '', '/');
  if (link !== null) {
    const { secret } = await ask('/console/session', { method: 'POST', body: link[1] });
    localStorage.setItem(KEPT, secret);
  }
  return localStorage.getItem(KEPT);
}

function call(method) {
  return ask('/palyra.v1.' + method, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...proof() },
    body: '{}',
  });
}

function proof() {
  return { 'x-palyra-csrf': localStorage.getItem(KEPT) ?? '' };
}

function word(text) {
  return String(text ?? '').replace(/^[A-Z]+_/, '').toLowerCase();
}

function element(name, text) {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
}

function withCode(made, text) {
  const parts = text.split('\\u0060');
  made.append(...parts.map((part, index) => (index % 2 === 1 ? element('code', part) : part)));
  return made;
}

function show(caller, health) {
  const readiness = word(health.readiness);
  byId('readiness').textContent = 'The gateway is ' + readiness;
  byId('light').className = { ready: 'good', failed: 'bad' }[readiness] ?? '';
  const facts = [
    ['You', (caller.name ?? caller.principal) + (caller.role ? ', ' + word(caller.role) : '')],
    ['Version', health.version],
    ['Profile', health.profile],
    ['Model', health.model],
    ['Devices connect to', (health.endpoints ?? []).join(', ')],
    ['Runs now', String(health.activeRuns ?? 0)],
  ];
  byId('facts').replaceChildren(
    ...facts.flatMap(([name, value]) => [element('dt', name), element('dd', value ?? '')]),
  );
  const missing = (health.missing ?? []).map(({ name, reason, help }) => {
    const item = element('li', name + ': ' + reason);
    if (help) item.append(withCode(element('small', ''), help));
    return item;
  });
  byId('missing').replaceChildren(...missing);
  byId('missing-title').hidden = missing.length === 0;
  byId('stranger').hidden = true;
  byId('known').hidden = false;
}

async function refresh() {
  const [caller, health] = await Promise.all([
    call('IdentityService/GetCaller'),
    call('HealthService/GetHealth'),
  ]);
  show(caller, health);
}

function forget(text) {
  byId('known').hidden = true;
  byId('stranger').hidden = false;
  byId('trouble').textContent = text;
}

async function start() {
  if ((await enter()) === null) return;
  await refresh();
  const timer = setInterval(() => {
    refresh().catch(() => {
      clearInterval(timer);
      forget('The session has ended, or the gateway does not answer.');
    });
  }, 5000);
  byId('leave').addEventListener('click', async () => {
    clearInterval(timer);
    const ending = ask('/console/session', { method: 'DELETE', headers: proof() });
    localStorage.removeItem(KEPT);
    await ending.then(
      () => forget('The session has ended.'),
      () => forget('The gateway did not answer; its own end of the session lasts until it runs out.'),
    );
  });
}

const hadLink = location.hash.startsWith('#link=');
start().catch(() =>
  forget(
    hadLink
      ? 'This link was used already, or its minute is over.'
      : 'The session has ended, or the gateway does not answer.',
  ),
);
`;
