/** Programs and what they are made of; nothing that says who uses the machine. */
export const PROGRAMS = [
  '/bin',
  '/usr/bin',
  '/usr/libexec',
  '/usr/local',
  '/opt/homebrew',
  '/Library/Developer/CommandLineTools',
  '/Applications/Xcode.app/Contents/Developer',
] as const;
export const SYSTEM = [
  '/usr/lib',
  '/usr/share',
  '/System/Library',
  '/System/Cryptexes',
  '/Library/Apple',
  '/System/Volumes/Preboot/Cryptexes',
  '/private/var/db/dyld',
  '/private/var/db/timezone',
  '/private/etc/ssl',
] as const;
export const FILES = [
  '/',
  '/dev/null',
  '/dev/zero',
  '/dev/random',
  '/dev/urandom',
  '/dev/fd',
  '/private/etc/localtime',
  '/private/var/select/sh',
] as const;
export const LINKS = [
  '/etc',
  '/tmp',
  '/var',
  '/private',
  '/private/etc',
  '/private/var',
  '/dev',
] as const;
export const SYSCTLS = [
  'hw.activecpu',
  'hw.byteorder',
  'hw.cachelinesize',
  'hw.logicalcpu',
  'hw.logicalcpu_max',
  'hw.machine',
  'hw.memsize',
  'hw.ncpu',
  'hw.pagesize',
  'hw.physicalcpu',
  'hw.physicalcpu_max',
  'kern.argmax',
  'kern.hostname',
  'kern.maxfilesperproc',
  'kern.osproductversion',
  'kern.osrelease',
  'kern.ostype',
  'kern.osversion',
  'kern.version',
  'sysctl.proc_cputype',
] as const;
export const MACH = ['com.apple.system.logger', 'com.apple.system.notification_center'] as const;

/** Ways to have somebody outside do it, who is in no sandbox; what denies by default denies them twice. */
export const HELPERS = [
  '/usr/bin/open',
  '/usr/bin/osascript',
  '/usr/bin/security',
  '/bin/launchctl',
  '/usr/bin/sandbox-exec',
  '/usr/bin/sudo',
  '/usr/bin/login',
  '/usr/bin/su',
  '/usr/bin/at',
  '/usr/bin/crontab',
  '/usr/bin/automator',
  '/usr/bin/shortcuts',
  '/usr/bin/defaults',
] as const;
export const NEVER_ASKED = [
  'com.apple.SecurityServer',
  'com.apple.securityd.xpc',
  'com.apple.trustd',
  'com.apple.trustd.agent',
  'com.apple.coreservices.appleevents',
  'com.apple.coreservices.launchservicesd',
  'com.apple.lsd.open',
  'com.apple.xpc.launchd',
  'com.apple.pasteboard.1',
  'com.apple.system.opendirectoryd.api',
  'com.apple.tccd',
] as const;
