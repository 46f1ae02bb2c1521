import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
} from '@tanstack/react-router';
import { HomePage } from '../home/home-page.tsx';
import { readFilter } from '../journal/filter.ts';
import { unreachable } from '../wire/unreachable.ts';
import { Missing } from './missing.tsx';
import { Shell } from './shell.tsx';
import { Trouble } from './trouble.tsx';

/** Loaded when one goes there. What cannot be loaded is told on the page, which stays. */
const page: typeof lazyRouteComponent = (load, name) =>
  lazyRouteComponent(
    () =>
      load().catch((reason: unknown) => {
        throw unreachable(reason);
      }),
    name,
  );

const root = createRootRoute({ component: Shell, notFoundComponent: Missing });

/** Where nearly everybody starts, so it comes with the shell. */
const home = createRoute({ getParentRoute: () => root, path: '/', component: HomePage });
const chat = createRoute({
  getParentRoute: () => root,
  path: '/chat',
  component: page(() => import('../chat/chat-page.tsx'), 'ChatPage'),
});
const session = createRoute({
  getParentRoute: () => root,
  path: '/chat/$sessionId',
  component: page(() => import('../chat/chat-page.tsx'), 'ChatPage'),
});
const runs = createRoute({
  getParentRoute: () => root,
  path: '/runs',
  component: page(() => import('../runs/runs-page.tsx'), 'RunsPage'),
});
const run = createRoute({
  getParentRoute: () => root,
  path: '/runs/$runId',
  component: page(() => import('../runs/run-page.tsx'), 'RunPage'),
});
const approvals = createRoute({
  getParentRoute: () => root,
  path: '/approvals',
  component: page(() => import('../approvals/approvals-page.tsx'), 'ApprovalsPage'),
});
const approval = createRoute({
  getParentRoute: () => root,
  path: '/approvals/$approvalId',
  component: page(() => import('../approvals/approvals-page.tsx'), 'ApprovalsPage'),
});
const policy = createRoute({
  getParentRoute: () => root,
  path: '/policy',
  component: page(() => import('../policy/policy-page.tsx'), 'PolicyPage'),
});
const journal = createRoute({
  getParentRoute: () => root,
  path: '/journal',
  validateSearch: readFilter,
  component: page(() => import('../journal/journal-page.tsx'), 'JournalPage'),
});
/** Shown by the page of the journal itself, whose list stays where it was. */
const entry = createRoute({ getParentRoute: () => journal, path: '$entryId' });
const sandbox = createRoute({
  getParentRoute: () => root,
  path: '/sandbox',
  component: page(() => import('../sandbox/sandbox-page.tsx'), 'SandboxPage'),
});
const devices = createRoute({
  getParentRoute: () => root,
  path: '/devices',
  component: page(() => import('../devices/devices-page.tsx'), 'DevicesPage'),
});
const access = createRoute({
  getParentRoute: () => root,
  path: '/access',
  component: page(() => import('../access/access-page.tsx'), 'AccessPage'),
});
const settings = createRoute({
  getParentRoute: () => root,
  path: '/settings',
  component: page(() => import('../settings/settings-page.tsx'), 'SettingsPage'),
});
const doctor = createRoute({
  getParentRoute: () => root,
  path: '/doctor',
  component: page(() => import('../doctor/doctor-page.tsx'), 'DoctorPage'),
});

/** Each page is a file of its own that is loaded when one goes there, or points at the way. */
export const router = createRouter({
  routeTree: root.addChildren([
    home,
    chat,
    session,
    runs,
    run,
    approvals,
    approval,
    policy,
    journal.addChildren([entry]),
    sandbox,
    devices,
    access,
    settings,
    doctor,
  ]),
  defaultPreload: 'intent',
  defaultErrorComponent: Trouble,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
