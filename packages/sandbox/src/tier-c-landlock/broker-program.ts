/**
 * Sets modes and times for the commands of one cage, on a thread of its own because the kernel's questions
 * can only be waited for. Landlock looks at neither, so a command that could set them itself could set
 * those of every file of its account. What it may: a file or folder in the workspace or in its
 * temporary folder that belongs to its account and is not guarded.
 * INVARIANT: what was looked at is held open, and changed through the same descriptor.
 * As text, because a bundle has no file that a thread could be started from.
 */
export const BROKER_PROGRAM = `
  const { closeSync, chmodSync, fstatSync, openSync, readSync, readlinkSync } = require('node:fs');
  const { workerData } = require('node:worker_threads');
  const ffi = process.getBuiltinModule('node:ffi');
  const libc = new ffi.DynamicLibrary('libc.so.6');
  const far = { arguments: ['i32', 'pointer', 'i32'], return: 'i64' };
  const recvmsg = libc.getFunction('recvmsg', far);
  const poll = libc.getFunction('poll', { arguments: ['pointer', 'u64', 'i32'], return: 'i32' });
  const ioctl = libc.getFunction('ioctl', { arguments: ['i32', 'u64', 'pointer'], return: 'i32' });
  const utimensat = libc.getFunction('utimensat', {
    arguments: ['i32', 'pointer', 'pointer', 'i32'], return: 'i32',
  });
  const at = (bytes) => ffi.getRawPointer(bytes);

  const { socket, roots, guarded, uid, calls } = workerData;
  const RECEIVE = 0xc0502100n, SEND = 0xc0182101n, IS_VALID = 0x40082102n;
  const POLLIN = 1, CLOSE_ON_EXEC = 0x40000000, O_PATH = 0o10000000, O_NONBLOCK = 0o4000;
  const O_NOFOLLOW = process.arch === 'arm64' ? 0o100000 : 0o400000, AT_SYMLINK_NOFOLLOW = 0x100, TIMES_BYTES = 32;
  const MODE_BITS = 0o1777, MAX_PATH = 4096, AT_FDCWD = -100, PAUSE_MS = 100;
  const EPERM = 1, ENOENT = 2, ENAMETOOLONG = 36;

  /** Comes back now and then, so that the thread can be ended. */
  function wait(descriptor) {
    const asked = Buffer.alloc(8);
    asked.writeInt32LE(descriptor, 0);
    asked.writeInt16LE(POLLIN, 4);
    while (poll(at(asked), 1n, PAUSE_MS) === 0);
    return (asked.readInt16LE(6) & POLLIN) !== 0;
  }

  function takeListener() {
    if (!wait(socket)) return -1;
    const [byte, control, vector, message] = [1, 24, 16, 56].map((size) => Buffer.alloc(size));
    vector.writeBigUInt64LE(at(byte), 0);
    vector.writeBigUInt64LE(1n, 8);
    message.writeBigUInt64LE(at(vector), 16);
    message.writeBigUInt64LE(1n, 24);
    message.writeBigUInt64LE(at(control), 32);
    message.writeBigUInt64LE(24n, 40);
    const length = Number(recvmsg(socket, at(message), CLOSE_ON_EXEC));
    return length === 1 && control.readInt32LE(12) === 1 ? control.readInt32LE(16) : -1;
  }

  class Refused extends Error {
    constructor(errno) { super('refused'); this.errno = errno; }
  }

  function memoryAt(pid, address, most) {
    const memory = openSync('/proc/' + pid + '/mem', 'r');
    try {
      const bytes = Buffer.alloc(most);
      return bytes.subarray(0, readSync(memory, bytes, 0, most, address));
    } finally {
      closeSync(memory);
    }
  }

  function textAt(pid, address) {
    const bytes = memoryAt(pid, address, MAX_PATH);
    const end = bytes.indexOf(0);
    if (end < 0) throw new Refused(ENAMETOOLONG);
    return bytes.toString('latin1', 0, end);
  }

  function timesAt(pid, address) {
    const bytes = address === 0n ? undefined : memoryAt(pid, address, TIMES_BYTES);
    if (bytes !== undefined && bytes.length < TIMES_BYTES) throw new Refused(EPERM);
    return bytes;
  }

  function pathOf(pid, folder, name) {
    if (name === '') throw new Refused(ENOENT);
    if (name.startsWith('/')) return name;
    return '/proc/' + pid + (folder === AT_FDCWD ? '/cwd/' : '/fd/' + folder + '/') + name;
  }

  function asked(question) {
    const pid = question.readUInt32LE(8);
    const word = (place) => question.readBigUInt64LE(32 + 8 * place);
    const number = (place) => Number(BigInt.asIntN(32, word(place)));
    const named = (folder, name) => pathOf(pid, folder, textAt(pid, word(name)));
    switch (question.readInt32LE(16)) {
      case calls.chmod: return { path: named(AT_FDCWD, 0), set: modeOf(number(1)) };
      case calls.fchmodat: return { path: named(number(0), 1), set: modeOf(number(2)) };
      case calls.fchmod: return { path: '/proc/' + pid + '/fd/' + number(0), set: modeOf(number(1)) };
      case calls.utimensat: return {
        path: named(number(0), 1),
        set: timesOf(timesAt(pid, word(2))),
        isLink: (number(3) & AT_SYMLINK_NOFOLLOW) !== 0,
      };
      default: throw new Refused(EPERM);
    }
  }

  function modeOf(mode) {
    return (place) => chmodSync(place, mode & MODE_BITS);
  }

  function timesOf(times) {
    return (place) => {
      const name = Buffer.from(place + '\\0');
      if (utimensat(AT_FDCWD, at(name), times === undefined ? 0n : at(times), 0) !== 0) throw new Refused(EPERM);
    };
  }

  function isGiven(path) {
    const isIn = (folder) => path.startsWith(folder + '/');
    if (!roots.some(isIn)) return false;
    return !guarded.some(({ path: name, isPinned }) => path === name || (!isPinned && isIn(name)));
  }

  function change(listener, question) {
    const { path, set, isLink } = asked(question);
    const flags = O_PATH | O_NONBLOCK | (isLink ? O_NOFOLLOW : 0);
    const held = openSync(Buffer.from(path, 'latin1'), flags);
    try {
      if (ioctl(listener, IS_VALID, at(question)) !== 0) throw new Refused(ENOENT);
      const place = '/proc/self/fd/' + held;
      if (fstatSync(held).uid !== uid) throw new Refused(EPERM);
      if (!isGiven(readlinkSync(place, 'latin1'))) throw new Refused(EPERM);
      set(place);
    } finally {
      closeSync(held);
    }
  }

  function errnoOf(error) {
    if (error instanceof Refused) return error.errno;
    return error.code === 'ENOENT' || error.code === 'ENOTDIR' ? ENOENT : EPERM;
  }

  function serve(listener) {
    while (wait(listener)) {
      const question = Buffer.alloc(80);
      if (ioctl(listener, RECEIVE, at(question)) !== 0) continue;
      const answer = Buffer.alloc(24);
      question.copy(answer, 0, 0, 8);
      try {
        change(listener, question);
      } catch (error) {
        answer.writeInt32LE(-errnoOf(error), 16);
      }
      // Whoever asked may be gone.
      ioctl(listener, SEND, at(answer));
    }
  }

  const listener = takeListener();
  if (listener >= 0) {
    try {
      serve(listener);
    } finally {
      closeSync(listener);
    }
  }
`;
