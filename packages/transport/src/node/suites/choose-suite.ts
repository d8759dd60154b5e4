import { readFileSync } from 'node:fs'
import type { Direction, SuiteName } from './keys.ts'
import { portableSuite, type Suite } from './portable.suite.ts'

/** The suite this machine is fastest with. ChaCha20 where the processor has no AES instructions. */
export function preferredSuite(encrypted: boolean, hasAes: boolean): SuiteName {
  if (!encrypted) return 'aes-256-gmac'
  return hasAes ? 'aes-256-gcm' : 'chacha20-poly1305'
}

/** True when the processor has AES instructions, or when the platform does not report it (all its current machines have them). */
export function hasAesInstructions(readText: (path: string) => string = readUtf8): boolean {
  if (process.platform !== 'linux') return true
  try {
    return /^(?:flags|Features)\s*:.*\baes\b/m.test(readText('/proc/cpuinfo'))
  } catch {
    // A sandbox without /proc: AES is the suite every peer must speak.
    return true
  }
}

export interface SuiteChoice {
  readonly suite: Suite
  /** Why the portable engine is used, in words; undefined when the fast one is. */
  readonly fallback: string | undefined
}

/** Opens the fast engine where it works; proves it against the portable one on one packet first. */
export async function openSuite(
  name: SuiteName,
  use: { secret: Uint8Array; own: Direction; fast: boolean },
): Promise<SuiteChoice> {
  const portable = portableSuite(name, use.secret, use.own)
  if (!use.fast) return { suite: portable, fallback: 'portable engine asked for' }
  try {
    // Loaded only here: on a platform without the native package the portable engine must still work.
    const [{ loadEvp }, { evpSuite }] = await Promise.all([import('../ffi/evp.ts'), import('./evp.suite.ts')])
    const fast = evpSuite(loadEvp(), name, use)
    if (agree(fast, portable)) return { suite: fast, fallback: undefined }
    fast.close()
    return { suite: portable, fallback: 'native engine disagreed with node:crypto' }
  } catch (cause) {
    return {
      suite: portable,
      fallback: `native engine not available: ${cause instanceof Error ? cause.message : 'unknown'}`,
    }
  }
}

function agree(first: Suite, second: Suite): boolean {
  const seal = (suite: Suite): Uint8Array => {
    // A phase that no session reaches, so that no nonce of a real packet is ever used here.
    const buffer = new Uint8Array(new SharedArrayBuffer(128)).map((_value, index) => index)
    suite.seal({ buffer, start: 3, bodyStart: 16, end: 100, pathId: 0, phase: 0xffff_ffff, packetNumber: 0xffff_ffff })
    return buffer
  }
  return Buffer.compare(seal(first), seal(second)) === 0
}

function readUtf8(path: string): string {
  return readFileSync(path, 'utf8')
}
