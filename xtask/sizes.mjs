// Prints the sizes of each file named: raw, gzip at level 9, brotli at quality 11, in bytes.
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { brotli } from './brotli.mjs';

for (const file of process.argv.slice(2)) {
  const bytes = readFileSync(file);
  console.log(bytes.length, gzipSync(bytes, { level: 9 }).length, brotli(bytes).length);
}
