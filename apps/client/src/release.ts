import { readFileSync } from 'node:fs'
import type { ClientPackage } from '@godwit/contract'

/** What the makers of a package wrote beside its program. */
export interface Release {
  readonly version: string
  /** How it was installed. */
  readonly form: ClientPackage
  /** System and processor, such as `linux-x64`. */
  readonly platform: string
  /** Public keys, each of which may sign the next release. */
  readonly keys: readonly string[]
}

/** Undefined for a program that runs from its sources. */
export const RELEASE: Release | undefined = readRelease(new URL('../release.json', import.meta.url))

function readRelease(file: URL): Release | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Release
  } catch (thrown) {
    if (thrown instanceof Error && 'code' in thrown && thrown.code === 'ENOENT') return undefined
    throw thrown
  }
}
