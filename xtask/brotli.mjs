import { brotliCompressSync, constants } from 'node:zlib';

/** Bytes compressed with brotli at quality 11. */
export function brotli(bytes) {
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  return brotliCompressSync(bytes, { params });
}
