import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import type { Page } from '@playwright/test'

export const MiB = 1024 * 1024

async function* noise(bytes: number) {
  for (let at = 0; at < bytes; at += MiB) {
    const block = Buffer.alloc(Math.min(MiB, bytes - at))
    for (let word = 0; word + 4 <= block.length; word += 4)
      block.writeUInt32LE(((at + word) * 2_654_435_761) % 2 ** 32, word)
    yield block
  }
}

/** A file of noise. @returns its path */
export async function makeFile(path: string, bytes: number): Promise<string> {
  await pipeline(noise(bytes), createWriteStream(path))
  return path
}

export async function sha256(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}

/** Sets how many bytes a second the page may send; -1 is as many as it can. */
export async function uplinkOf(page: Page): Promise<(uploadThroughput: number) => Promise<void>> {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('Network.enable')
  return async (uploadThroughput) => {
    await cdp.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: uploadThroughput < 0 ? 0 : 2,
      downloadThroughput: -1,
      uploadThroughput,
    })
  }
}

/** Bytes that a server has read so far, from connections above all: a browser does not tell how long a body was that it took from a file. */
export async function bytesRead({ pid }: { readonly pid: number }): Promise<number> {
  return Number(/^rchar: (\d+)$/m.exec(await readFile(`/proc/${pid}/io`, 'utf8'))?.[1])
}
