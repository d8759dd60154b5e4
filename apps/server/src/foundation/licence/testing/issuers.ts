import { generateKeyPairSync } from 'node:crypto'
import { licenceCodeHash, signLicence, type LicenceBody } from '../licence.file.ts'

export const CODE = '7XK2M9QPLR4TVW3A'

/** Somebody who issues licences. */
export function openIssuer() {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const pem = privateKey.export({ format: 'pem', type: 'pkcs8' }).toString()
  return {
    issuerKey: publicKey.export({ format: 'der', type: 'spki' }).toString('base64'),
    issue: (change: Partial<LicenceBody> = {}): string => signLicence(licenceBody(change), pem),
  }
}

export function licenceBody(change: Partial<LicenceBody> = {}): LicenceBody {
  const id = change.id ?? 'ab'.repeat(16)
  return {
    ...{ version: 1, edition: 'pro', holder: 'Example Ltd', machine: '', startsAt: 0, expiresAt: null, limits: {} },
    ...{ id, codeHash: licenceCodeHash(id, CODE) },
    ...change,
  }
}
