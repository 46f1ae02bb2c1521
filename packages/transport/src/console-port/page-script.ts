/**
 * What the plain page does. Text reaches the page as text only, every address is fixed here, and
 * the secret of a link is taken out of the address bar before anything else happens.
 */
export const SCRIPT = `'use strict';
const byId = (id) => document.getElementById(id);

async function ask(path, options) {
  const response = await fetch(path, { credentials: 'same-origin', ...options });
  if (!response.ok) throw new Error(String(response.status));
  return response.json();
}

async function enter() {
  const link = /^#link=([A-Za-z0-9_-]+)$/.exec(location.hash);
  if (location.hash !== '') history.replaceState(null, '', '/');
  if (link === null) return ask('/console/session');
  return ask('/console/session', { method: 'POST', body: link[1] });
}

function call(csrf, method) {
  return ask('/palyra.v1.' + method, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-palyra-csrf': csrf },
    body: '{}',
  });
}

function word(text) {
  return String(text ?? '').replace(/^[A-Z]+_/, '').toLowerCase();
}

function element(name, text) {
  const made = document.createElement(name);
  made.textContent = text;
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
    ['Model', health.model + (health.modelIsScript ? ' (a script)' : '')],
    ['Devices connect to', (health.endpoints ?? []).join(', ')],
    ['Runs now', String(health.activeRuns ?? 0)],
  ];
  byId('facts').replaceChildren(
    ...facts.flatMap(([name, value]) => [element('dt', name), element('dd', value ?? '')]),
  );
  const missing = (health.missing ?? []).map(({ name, reason, help }) => {
    const item = element('li', name + ': ' + reason);
    if (help) item.append(element('small', help));
    return item;
  });
  byId('missing').replaceChildren(...missing);
  byId('missing-title').hidden = missing.length === 0;
  byId('stranger').hidden = true;
  byId('known').hidden = false;
}

async function refresh(csrf) {
  const [caller, health] = await Promise.all([
    call(csrf, 'IdentityService/GetCaller'),
    call(csrf, 'HealthService/GetHealth'),
  ]);
  show(caller, health);
}

function forget(text) {
  byId('known').hidden = true;
  byId('stranger').hidden = false;
  byId('trouble').textContent = text;
}

async function start() {
  const { csrf } = await enter();
  await refresh(csrf);
  const timer = setInterval(() => {
    refresh(csrf).catch(() => {
      clearInterval(timer);
      forget('The session has ended, or the gateway does not answer.');
    });
  }, 5000);
  byId('leave').addEventListener('click', async () => {
    clearInterval(timer);
    await ask('/console/session', { method: 'DELETE', headers: { 'x-palyra-csrf': csrf } });
    forget('The session has ended.');
  });
}

const hadLink = location.hash.startsWith('#link=');
start().catch(() => forget(hadLink ? 'This link was used already, or its minute is over.' : ''));
`;
