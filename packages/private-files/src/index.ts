export {
  addPrivateFile,
  removePrivateFile,
  renameDurably,
  replaceForNow,
  replacePrivateFile,
  syncPath,
  writeDurably,
} from './durable-file.ts';
export { checkPrivateDirectory, makePrivateDirectory } from './private-directory.ts';
export {
  hasPrivateFile,
  makePrivateFile,
  openPrivateFile,
  readPrivateFile,
} from './private-file.ts';
export { systemCode } from './system-code.ts';
