// Writes NAME.br beside each file named: compressed with brotli at quality 11.
import { readFileSync, writeFileSync } from 'node:fs';
import { brotli } from './brotli.mjs';

for (const file of process.argv.slice(2)) writeFileSync(`${file}.br`, brotli(readFileSync(file)));
