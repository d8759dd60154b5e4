import fs from 'node:fs/promises'

/**
 * What a program wrote, which is not trusted: only a plain file is taken, and not what a link of that name leads to.
 * @returns nothing for anything else, and for more than the limit
 */
export async function readPlain(file: string, limitBytes: number): Promise<Buffer> {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = fs.constants
  let handle
  try {
    // A pipe of that name would otherwise be waited for without an end.
    handle = await fs.open(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
    const stat = await handle.stat()
    return stat.isFile() && stat.size <= limitBytes ? await handle.readFile() : Buffer.alloc(0)
  } catch (thrown) {
    if (thrown instanceof Error && 'code' in thrown) return Buffer.alloc(0) // Not there, or a link.
    throw thrown
  } finally {
    await handle?.close()
  }
}
