import { createHash, createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, join, relative, resolve, sep } from 'node:path'
import { isVersion, type ReleasedPackage } from '@godwit/contract'
import { publicKeyOf, signRelease } from '../../apps/client/src/upgrade/signing.ts'
import type { Release } from '../../apps/client/src/release.ts'
import { ROOT } from '../steps.ts'
import type { Platform } from './platforms.ts'

/** Of a release, beside its packages; the server hands it on as it is. */
const NAME = 'release.json'

/** Makes the key of those who make packages. @returns its public half. @throws Error for a place in this folder or a file that is there */
export async function makeKey(file: string): Promise<string> {
  const path = relative(ROOT, resolve(file))
  if (path !== '..' && !path.startsWith(`..${sep}`))
    throw new Error('the key belongs outside of the folder of the sources')
  const { privateKey } = generateKeyPairSync('ed25519')
  await writeFile(file, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600, flag: 'wx', flush: true })
  return publicKeyOf(privateKey)
}

export async function readKey(file: string): Promise<KeyObject> {
  return createPrivateKey(await readFile(file))
}

/** Tells an installed client what it is, and whom it may take its successor from. */
export async function writeOwnRelease(folder: string, release: Release): Promise<void> {
  await writeFile(join(folder, NAME), JSON.stringify(release))
}

export interface ReleaseFacts {
  readonly out: string
  readonly version: string
  readonly minVersion: string
  readonly made: ReadonlyArray<{ readonly platform: Platform; readonly file: string }>
  readonly key: KeyObject
}

/** Signs what was made. It takes the place of an earlier release in one step, after its packages. */
export async function writeRelease({ out, version, minVersion, made, key }: ReleaseFacts): Promise<string> {
  for (const each of [version, minVersion]) if (!isVersion(each)) throw new Error(`no version: ${each}`)
  const packages: ReleasedPackage[] = []
  for (const { platform, file } of made) {
    const { size } = await stat(file)
    packages.push({
      type: platform.type,
      platform: platform.name,
      file: basename(file),
      size,
      sha256: await digestOf(file),
    })
  }
  const signed = signRelease({ format: 1, version, minVersion, packages }, key)
  const result = join(out, NAME)
  await writeFile(`${result}.part`, JSON.stringify(signed), { flush: true })
  await rename(`${result}.part`, result)
  return result
}

/** Packages that nobody signed stand beside no release. */
export async function removeRelease(out: string): Promise<void> {
  await rm(join(out, NAME), { force: true })
}

async function digestOf(file: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer)
  return hash.digest('hex')
}
