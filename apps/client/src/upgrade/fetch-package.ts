import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ReleasedPackage } from '@godwit/contract'
import { causeText, UpgradeError } from './upgrade-error.ts'

export interface FetchDeps {
  /** Keeps what arrived, over restarts. */
  readonly folder: string
  /** Asks the server for the bytes from here on. */
  readonly ask: (from: number) => Promise<Response>
  readonly signal: AbortSignal
  /** Between two tries. */
  readonly againMs: number
}

/** Tries in a row that bring nothing. */
const TRIES = 5

/**
 * Fetches a package, from the byte where an earlier call stopped, and compares it with the release.
 * @returns the file, which is whole and as it was signed
 * @throws UpgradeError not-fetched, altered, not-stored
 */
export async function fetchPackage(deps: FetchDeps, wanted: ReleasedPackage): Promise<string> {
  await stored(mkdir(deps.folder, { recursive: true, mode: 0o700 }))
  const file = join(deps.folder, `${wanted.sha256}.${wanted.type}`)
  if ((await sizeOf(file)) === wanted.size && (await digestOf(file)) === wanted.sha256) return file
  const part = `${file}.part`
  if ((await sizeOf(part)) > wanted.size) await rm(part)
  await fetchRest(deps, wanted, part)
  if ((await digestOf(part)) !== wanted.sha256) {
    await rm(part)
    throw new UpgradeError('altered', `${wanted.file} of the server is not the one that was signed`)
  }
  await rename(part, file)
  return file
}

async function fetchRest({ ask, signal, againMs }: FetchDeps, { file, size }: ReleasedPackage, part: string) {
  for (let tries = 0, at = await sizeOf(part); at < size; tries++) {
    const cause = await appendTo(part, { at, size, ask, signal }).catch((thrown: unknown) => thrown)
    signal.throwIfAborted()
    if (cause instanceof UpgradeError) throw cause
    const now = await sizeOf(part)
    if (now > at) tries = 0
    else if (tries >= TRIES) throw new UpgradeError('not-fetched', `${file} does not arrive`, { cause })
    if (now < size) await sleep(againMs, undefined, { signal })
    at = now
  }
}

interface Appending extends Pick<FetchDeps, 'ask' | 'signal'> {
  readonly at: number
  readonly size: number
}

/** What arrived before a line broke stays. */
async function appendTo(part: string, { at, size, ask, signal }: Appending): Promise<void> {
  const response = await ask(at)
  if (!response.ok || response.body === null) throw new Error(`the server answers ${response.status}`)
  const isRest = response.status === 206
  const whole = Number(
    isRest ? response.headers.get('content-range')?.split('/')[1] : response.headers.get('content-length'),
  )
  if (whole !== size) {
    await response.body.cancel()
    throw new UpgradeError('altered', `the server has ${whole} bytes, and ${size} were signed`)
  }
  await using output = await stored(open(part, isRest ? 'a' : 'w', 0o600))
  let room = size - (isRest ? at : 0)
  for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
    signal.throwIfAborted()
    if (chunk.length > room) throw new UpgradeError('altered', 'the server sends more than was signed')
    await stored(output.writeFile(chunk))
    room -= chunk.length
  }
  await stored(output.sync())
}

/** Another try does not help a disk that refuses. */
async function stored<Value>(written: Promise<Value>): Promise<Value> {
  return written.catch((cause: unknown) => {
    throw new UpgradeError('not-stored', `the package cannot be kept: ${causeText(cause)}`, { cause })
  })
}

async function digestOf(file: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(file, { highWaterMark: 1 << 20 })) hash.update(chunk as Buffer)
  return hash.digest('hex')
}

async function sizeOf(file: string): Promise<number> {
  const found = await stat(file, { bigint: false }).catch((thrown: unknown) => {
    if (thrown instanceof Error && 'code' in thrown && thrown.code === 'ENOENT') return undefined
    throw thrown
  })
  return found?.size ?? 0
}
