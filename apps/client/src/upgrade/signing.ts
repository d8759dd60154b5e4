import { createPublicKey, type KeyObject, sign, verify } from 'node:crypto'
import {
  clientRelease,
  type ClientRelease,
  compareVersions,
  RELEASE_CONTEXT,
  type ReleasedPackage,
  type SignedRelease,
} from '@godwit/contract'
import { UpgradeError } from './upgrade-error.ts'

/** Of Ed25519: 32 bytes in base64url. */
const KEY = /^[\w-]{43}$/

export function isKey(text: string): boolean {
  return KEY.test(text)
}

/** The public half of a key, as packages and people hand it on. */
export function publicKeyOf(key: KeyObject): string {
  const { x } = createPublicKey(key).export({ format: 'jwk' })
  if (key.asymmetricKeyType !== 'ed25519' || x === undefined) throw new Error('packages are signed with an Ed25519 key')
  return x
}

export function signRelease(release: ClientRelease, key: KeyObject): SignedRelease {
  const text = JSON.stringify(release)
  return { release: text, signature: sign(null, signedBytes(text), key).toString('base64url') }
}

/** @throws UpgradeError untrusted, unless one of the keys has signed it */
export function openRelease({ release, signature }: SignedRelease, keys: readonly string[]): ClientRelease {
  const bytes = Buffer.from(signature, 'base64url')
  const isSigned = keys.some((key) => isKey(key) && verify(null, signedBytes(release), keyObject(key), bytes))
  if (!isSigned) throw new UpgradeError('untrusted', 'no key that this client trusts has signed the release')
  // Whoever holds the key may still have made a release for newer clients.
  const read = clientRelease.safeParse(JSON.parse(release))
  if (!read.success) throw new UpgradeError('untrusted', 'the release has a form that this client does not know')
  return read.data
}

/** @throws UpgradeError not-newer, by-hand or failed, unless this program may be replaced by what is released for its system */
export function packageFor(
  release: ClientRelease,
  { version, form, platform }: { readonly version: string; readonly form: string; readonly platform: string },
): ReleasedPackage {
  if (compareVersions(release.version, version) <= 0)
    throw new UpgradeError('not-newer', `${release.version} is no newer than ${version}`)
  if (compareVersions(version, release.minVersion) < 0)
    throw new UpgradeError('by-hand', `${release.version} replaces ${release.minVersion} and newer by itself`)
  const found = release.packages.find((each) => each.type === form && each.platform === platform)
  if (found === undefined) throw new UpgradeError('failed', `the release has no ${form} for ${platform}`)
  return found
}

function signedBytes(release: string): Buffer {
  return Buffer.from(RELEASE_CONTEXT + release)
}

function keyObject(x: string): KeyObject {
  return createPublicKey({ format: 'jwk', key: { kty: 'OKP', crv: 'Ed25519', x } })
}
