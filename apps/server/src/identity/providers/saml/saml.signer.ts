import type { Clock, Random } from '@godwit/base'
import { makeSelfSigned } from '../../../foundation/certificates/index.ts'
import type { Vault } from '../../../kernel/crypto/index.ts'
import { isDuplicate, type Db } from '../../../kernel/db/index.ts'
import { samlSignersStore } from './saml.signers.store.ts'

export interface SignerDeps {
  readonly db: Db
  readonly clock: Clock
  readonly random: Random
  readonly vault: Vault
}

/** What this site signs its requests with. PEM. */
export interface Signer {
  readonly certificate: string
  readonly key: string
}

const PURPOSE = 'saml-signer'
/** Providers keep the certificate with the address of the site, and nobody looks at its dates. */
const DAYS = 3650
const SERIAL_BYTES = 16

/** The key of this site, made when it is first needed and the same on every node from then on. */
export async function samlSigner(deps: SignerDeps): Promise<Signer> {
  const { db, clock, random, vault } = deps
  const known = await stored(deps)
  if (known !== undefined) return known
  const serial = random.fill(new Uint8Array(SERIAL_BYTES))
  const made = await makeSelfSigned({ names: ['godwit-saml'], days: DAYS, now: clock.now(), serial })
  const row = { certificate: made.certificate, sealed_key: vault.seal(PURPOSE, made.key) }
  try {
    await samlSignersStore.insert(db, row)
    return made
  } catch (thrown) {
    // Another node was first.
    const first = isDuplicate(thrown) ? await stored(deps) : undefined
    if (first === undefined) throw thrown
    return first
  }
}

async function stored({ db, vault }: SignerDeps): Promise<Signer | undefined> {
  const row = await samlSignersStore.get(db)
  return row && { certificate: row.certificate, key: vault.open(PURPOSE, row.sealed_key) }
}
