import type { Clock, Random } from '@godwit/base'
import { hashToken, newToken, secretsEqual, type Vault } from '../../kernel/crypto/index.ts'
import type { UserRow } from '../users/index.ts'

export interface DevicesDeps {
  readonly clock: Clock
  readonly random: Random
  readonly vault: Vault
}

type Owner = Pick<UserRow, 'id' | 'password_hash'>

/** A device that nobody signs in from for so long is a stranger again. */
const TRUSTED_MS = 180 * 24 * 3_600_000

/**
 * What a device remembers after a sign-in. It opens nothing: it only keeps the device's own count of wrong passwords, so that
 * strangers who lock the account do not lock its owner out. A change of the password ends it.
 */
export function newDevice({ clock, random, vault }: DevicesDeps, owner: Owner): string {
  const drawn = newToken(random)
  const until = String(clock.now() + TRUSTED_MS)
  return `${drawn}.${until}.${proofOf(vault, owner, `${drawn}.${until}`)}`
}

/** @returns what the device's wrong passwords are counted under; undefined for a device that this account does not know */
export function trustedDevice({ clock, vault }: DevicesDeps, owner: Owner, device: string): string | undefined {
  const [drawn = '', until = '', proof = ''] = device.split('.')
  const isKnown = secretsEqual(proof, proofOf(vault, owner, `${drawn}.${until}`))
  return isKnown && clock.now() < Number(until) ? `device:${hashToken(drawn)}` : undefined
}

function proofOf(vault: Vault, { id, password_hash: hash }: Owner, stamp: string): string {
  return vault.mac('device', `${stamp}:${id}:${hash}`)
}
