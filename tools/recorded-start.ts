/** The text around a program that makes a function of it, as Node's own loader has it. */
export const AROUND_PROGRAM = [
  '(function (exports, require, module, __filename, __dirname) {',
  '\n})',
] as const;
/** A record begins with the SHA-256 of the program as it is compiled and of what V8 wrote about it. */
export const RECORD_DIGEST_BYTES = 32;
/** Five times what there is today; whatever is longer is not looked at. */
const MAX_RECORD_BYTES = 16 * 1024 * 1024;

/** Of each Node and kind of machine one: V8 reads what no other has compiled. */
export function recordName(name: string): string {
  return `${name}-${process.version}-${process.arch}.start`;
}

/**
 * The end of a launcher that starts a program from its record (setup/record-start.ts) when it is
 * started to serve. Commands go without: each needs a little of what a record holds, and all of that
 * would be read for it.
 *
 * V8 believes any record for a source of the same length, and a damaged one ends the process. So it
 * is shown only what the owner of the program alone can have written, for exactly this program, and
 * what is whole. In every other case the program starts as it would without one.
 */
export function recordedStart(name: string): string {
  return `var name = ${JSON.stringify(name)};
var fs = require('node:fs');
var file = __dirname + '/program/' + name + '.cjs';
var isServing = /^(--(set|until)|$)/.test(process.argv[2] || '');
var program = isServing ? readProgram() : undefined;
var record = program ? readRecord() : undefined;
var script = record ? compile() : undefined;
if (script) {
  var own = { exports: {} };
  script.runInThisContext()(own.exports, require('node:module').createRequire(file), own, file, __dirname + '/program');
} else {
  require('node:module').enableCompileCache(__dirname + '/cache');
  require(file);
}
${READ}${COMPILE}`;
}

const READ = `
function readProgram() {
  return read(file, { before: ${JSON.stringify(AROUND_PROGRAM[0])}, after: ${JSON.stringify(AROUND_PROGRAM[1])} }, function () {
    return true;
  });
}

function readRecord() {
  var path = __dirname + '/cache/' + name + '-' + process.version + '-' + process.arch + '.start';
  var found = read(path, { before: '', after: '' }, function (status) {
    return status.uid === program.owner && (status.mode & 63) === 0 && status.size <= ${MAX_RECORD_BYTES};
  });
  if (!found) return undefined;
  var made = found.bytes.subarray(${RECORD_DIGEST_BYTES});
  var digest = require('node:crypto').createHash('sha256').update(program.bytes).update(made).digest();
  return digest.equals(found.bytes.subarray(0, ${RECORD_DIGEST_BYTES})) ? made : undefined;
}

function read(path, around, isGood) {
  var descriptor;
  try {
    descriptor = fs.openSync(path, fs.constants.O_RDONLY | fs.constants.O_NOFOLLOW);
    var status = fs.fstatSync(descriptor);
    if (!status.isFile() || !isGood(status)) return undefined;
    var bytes = Buffer.allocUnsafeSlow(around.before.length + status.size + around.after.length);
    var end = around.before.length + status.size;
    bytes.write(around.before, 0, 'latin1');
    bytes.write(around.after, end, 'latin1');
    for (var got, at = around.before.length; at < end; at += got) {
      got = fs.readSync(descriptor, bytes, at, end - at, null);
      if (got === 0) return undefined;
    }
    return { bytes: bytes, owner: status.uid };
  } catch (reason) {
    return undefined;
  } finally {
    if (descriptor !== undefined) fs.closeSync(descriptor);
  }
}
`;

const COMPILE = `
function compile() {
  var vm = require('node:vm');
  var compiled = new vm.Script(program.bytes.toString('latin1'), {
    filename: file,
    cachedData: record,
    importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER
  });
  // Megabytes that nobody reads again, given back now instead of with some later collection.
  program.bytes.buffer.transfer(0);
  record.buffer.transfer(0);
  return compiled.cachedDataRejected ? undefined : compiled;
}
`;
