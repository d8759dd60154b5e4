import fs from 'node:fs'
import path from 'node:path'
import type { Random } from '@godwit/base'
import { openVault, VAULT_KEY } from '../../kernel/crypto/index.ts'
import { isDuplicate, type Db } from '../../kernel/db/index.ts'
import { Refused } from './refused.ts'

const FACT = 'vault.key'

export interface VaultKeyDeps {
  readonly db: Db
  /** The data folder. */
  readonly data: string
  readonly random: Random
}

/**
 * Requires the key with which the secrets in the database are sealed. Without it sign-ins with a second factor, mail and buckets
 * would fail one by one, and what is sealed from then on could be read by no other node. A database that knows no key yet takes
 * that of the data folder.
 * @throws Refused, with nothing changed
 */
export async function requireVaultKey(deps: VaultKeyDeps): Promise<void> {
  if (await isVaultKeyKnown(deps)) return
  try {
    await deps.db
      .insertInto('facts')
      .values({ name: FACT, value: printOf(deps) })
      .execute()
  } catch (thrown) {
    if (!isDuplicate(thrown)) throw thrown
    // Another node was faster, perhaps with another key.
    await isVaultKeyKnown(deps)
  }
}

/**
 * @returns false when the database knows no key yet
 * @throws Refused when it knows another one than that of the data folder
 */
export async function isVaultKeyKnown(deps: VaultKeyDeps): Promise<boolean> {
  const known = await deps.db.selectFrom('facts').select('value').where('name', '=', FACT).executeTakeFirst()
  if (known === undefined) return false
  const file = path.join(deps.data, VAULT_KEY)
  // A key that is made anew would only hide that the right one is gone.
  const isThere = fs.existsSync(file)
  if (isThere && known.value === printOf(deps)) return true
  throw new Refused(
    [
      isThere
        ? `${path.resolve(file)} is not the key with which the secrets in the database are sealed.`
        : `${path.resolve(file)}, the key of the secrets in the database, is missing.`,
      'Put it back from a backup, or copy it from the data folder of another node, or correct --data and GODWIT_DATABASE_URL.',
      'If it is lost for good: godwit secrets adopt, and then enter every password, bucket key and second factor anew.',
    ].join(' '),
  )
}

/** From now on the key of the data folder is the right one, made if there is none. */
export async function adoptVaultKey(deps: VaultKeyDeps): Promise<void> {
  await deps.db.deleteFrom('facts').where('name', '=', FACT).execute()
  await requireVaultKey(deps)
}

/** Tells a key from others and says nothing of it. */
function printOf({ data, random }: VaultKeyDeps): string {
  return openVault(data, random).mac(FACT, '')
}
