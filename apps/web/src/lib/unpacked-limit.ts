/** What a document may unpack to: a small file may hold any number of zeros. */
const MAX_UNPACKED_BYTES = 200 * 1024 * 1024
const MAX_PARTS = 10_000

/**
 * For programs that unpack a document as a whole.
 * @param parts its directory; each with its bytes when unpacked
 * @throws Error when it unpacks to too much
 */
export async function requireBounded(parts: AsyncIterable<{ readonly size: number }>): Promise<void> {
  let bytes = 0
  let count = 0
  for await (const { size } of parts) {
    bytes += size
    count += 1
    if (bytes > MAX_UNPACKED_BYTES || count > MAX_PARTS) throw new Error('the document is too large to read')
  }
}
