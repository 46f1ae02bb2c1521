'use strict';
// Loaded before every tool (package.json, and first in each tool). In the JavaScript of 2009,
// because an old Node would stop at newer syntax, or at a file that ends in `.ts`, without a hint.
var version = process.versions.node;
if (version.split('.')[0] !== '26') {
  process.stderr.write(
    'palyra: this is Node ' +
      version +
      ' and Palyra is made for Node 26; run `npm ci`, which brings the right one, and then `npm run` or `npm test`\n',
  );
  process.exit(78);
}
