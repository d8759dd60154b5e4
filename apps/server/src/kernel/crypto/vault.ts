import { createCipheriv, createDecipheriv, createHmac } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { randomHex, type Random } from '@godwit/base'

/**
 * Keeps secrets that must be read again, such as the password of a mail server: encrypted with a key that lies in the data
 * folder and never in the database, so that a copy of the database alone gives nothing away.
 */
export interface Vault {
  /** @param purpose what the secret is for; it opens under the same purpose only */
  seal(purpose: string, secret: string): string
  /** @throws VaultError when it was not sealed for this purpose by this installation */
  open(purpose: string, sealed: string): string
  /** A keyed hash in hex for short secrets, such as codes of six digits, that a plain hash would not hide. */
  mac(purpose: string, text: string): string
}

export class VaultError extends Error {
  override readonly name = 'VaultError'
}

const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16
const VERSION = 'v1.'

/** Where the key stands in the data folder; a backup without it cannot read the secrets. */
export const VAULT_KEY = path.join('keys', 'secrets.key')

/** Reads the key of this data folder, or makes it. @throws Error when the key is damaged: a new one would lose every secret */
export function openVault(data: string, random: Random): Vault {
  const key = readOrMakeKey(path.join(data, VAULT_KEY), random)
  const keyOf = (purpose: string) => createHmac('sha256', key).update(purpose).digest()
  return {
    seal(purpose, secret) {
      const nonce = Buffer.from(random.fill(new Uint8Array(NONCE_BYTES)))
      const cipher = createCipheriv('aes-256-gcm', keyOf(`seal:${purpose}`), nonce)
      const body = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()])
      return VERSION + Buffer.concat([nonce, body, cipher.getAuthTag()]).toString('base64url')
    },
    open(purpose, sealed) {
      const bytes = Buffer.from(sealed.startsWith(VERSION) ? sealed.slice(VERSION.length) : '', 'base64url')
      if (bytes.length < NONCE_BYTES + TAG_BYTES) throw new VaultError('not a sealed secret')
      const decipher = createDecipheriv('aes-256-gcm', keyOf(`seal:${purpose}`), bytes.subarray(0, NONCE_BYTES), {
        authTagLength: TAG_BYTES,
      })
      decipher.setAuthTag(bytes.subarray(-TAG_BYTES))
      try {
        const body = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES))
        return Buffer.concat([body, decipher.final()]).toString('utf8')
      } catch (thrown) {
        throw new VaultError('sealed with another key or for another purpose', { cause: thrown })
      }
    },
    mac: (purpose, text) =>
      createHmac('sha256', keyOf(`mac:${purpose}`))
        .update(text)
        .digest('hex'),
  }
}

/** The key for a backup; undefined while there is none. */
export function exportVaultKey(data: string): Buffer | undefined {
  const file = path.join(data, VAULT_KEY)
  return fs.existsSync(file) ? readKey(file) : undefined
}

/** Puts the key of a backup in place of whatever is there. For an empty installation only. */
export function importVaultKey(data: string, key: Uint8Array): void {
  const file = path.join(data, VAULT_KEY)
  fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
  const part = `${file}.part`
  fs.writeFileSync(part, key, { mode: 0o600, flush: true })
  fs.renameSync(part, file)
  readKey(file)
}

function readOrMakeKey(file: string, random: Random): Buffer {
  if (!fs.existsSync(file)) makeKey(file, random)
  return readKey(file)
}

function readKey(file: string): Buffer {
  const key = fs.readFileSync(file)
  if (key.length !== KEY_BYTES || key.every((byte) => byte === 0)) {
    throw new Error(`${file} is damaged: restore it from a backup`)
  }
  return key
}

/** Written beside and then linked: whoever comes second finds the whole key of the first. */
function makeKey(file: string, random: Random): void {
  fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
  const beside = `${file}.${randomHex(random, 8)}`
  fs.writeFileSync(beside, random.fill(new Uint8Array(KEY_BYTES)), { mode: 0o600, flag: 'wx', flush: true })
  try {
    fs.linkSync(beside, file)
  } catch (thrown) {
    if (!fs.existsSync(file)) throw thrown
  } finally {
    fs.unlinkSync(beside)
  }
}
