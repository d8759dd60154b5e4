import type { BrandingAsset } from '@godwit/contract'
import type { Db, Tx } from '../../kernel/db/index.ts'
import type { BrandingImagesTable } from './branding.schema.ts'

/** The only SQL over `branding_images`. */
export const brandingStore = {
  /** What is asked every second: which images there are, without their bytes. */
  hashes: (db: Db): Promise<Array<Pick<BrandingImagesTable, 'asset' | 'hash'>>> =>
    db.selectFrom('branding_images').select(['asset', 'hash']).execute(),
  find: (db: Db, asset: BrandingAsset): Promise<BrandingImagesTable | undefined> =>
    db.selectFrom('branding_images').selectAll().where('asset', '=', asset).executeTakeFirst(),
  async replace(tx: Tx, row: BrandingImagesTable): Promise<void> {
    await brandingStore.remove(tx, row.asset)
    await tx.insertInto('branding_images').values(row).execute()
  },
  async remove(tx: Tx, asset: BrandingAsset): Promise<void> {
    await tx.deleteFrom('branding_images').where('asset', '=', asset).execute()
  },
}
