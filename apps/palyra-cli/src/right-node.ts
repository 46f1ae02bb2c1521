export const NODE_MAJOR = '26';

export function isRightNode(): boolean {
  return process.versions.node.split('.', 1)[0] === NODE_MAJOR;
}
