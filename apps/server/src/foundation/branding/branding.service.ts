import { createHash } from 'node:crypto'
import type { Clock } from '@godwit/base'
import { BRANDING_ASSETS, IMAGE_TYPES, type BrandingAsset } from '@godwit/contract'
import { inTransaction, type Db, type Tx } from '../../kernel/db/index.ts'
import './branding.schema.ts'
import { brandingStore } from './branding.store.ts'
import type { Redraw } from './redraw.ts'

export interface Image {
  readonly contentType: string
  readonly bytes: Buffer
  /** SHA-256 of the bytes, in hex. */
  readonly hash: string
}

/** Image files by the place they are for; null: the one that the product is shipped with. */
export type ImageChanges = Readonly<Partial<Record<BrandingAsset, Uint8Array | null>>>
export type ImageAddresses = Readonly<Record<BrandingAsset, string>>

/** The site's own images. They are kept in the database, where every node finds them. */
export interface Branding {
  /** @returns undefined for an image that is not replaced */
  image(asset: BrandingAsset): Promise<Image | undefined>
  /** Address of each, or ''. It changes with the image. */
  addresses(): Promise<ImageAddresses>
  /**
   * Replaces images, all or none.
   * @param record runs with the change, or not at all
   * @throws AppError BRANDING_IMAGE_INVALID naming the place and the rule that its image breaks
   */
  change(changes: ImageChanges, redraw: Redraw, record?: (tx: Tx) => Promise<void>): Promise<void>
}

export interface BrandingDeps {
  readonly db: Db
  readonly clock: Clock
}

/** Another process's change is seen at the latest after this long. */
const CACHE_MS = 1_000

type Hashes = ReadonlyMap<BrandingAsset, string>

/** One piece: its functions share the short memory in front of the database. */
export function openBranding({ db, clock }: BrandingDeps): Branding {
  let known: { readonly hashes: Hashes; readonly until: number } | undefined
  const images = new Map<BrandingAsset, Image>()

  async function hashes(): Promise<Hashes> {
    if (known !== undefined && known.until > clock.monotonic()) return known.hashes
    const rows = await brandingStore.hashes(db)
    known = { hashes: new Map(rows.map(({ asset, hash }) => [asset, hash])), until: clock.monotonic() + CACHE_MS }
    return known.hashes
  }

  async function image(asset: BrandingAsset): Promise<Image | undefined> {
    const hash = (await hashes()).get(asset)
    if (hash === undefined) return undefined
    const kept = images.get(asset)
    if (kept?.hash === hash) return kept
    const row = await brandingStore.find(db, asset)
    if (row === undefined) return undefined
    const loaded = {
      contentType: IMAGE_TYPES[row.type],
      bytes: Buffer.from(row.content, 'base64'),
      hash: row.hash,
    }
    images.set(asset, loaded)
    return loaded
  }

  return {
    image,
    async addresses() {
      const present = await hashes()
      const addresses = BRANDING_ASSETS.map((asset) => {
        const hash = present.get(asset)
        return [asset, hash === undefined ? '' : `/customize/${asset}?v=${hash.slice(0, 16)}`] as const
      })
      return Object.fromEntries(addresses) as Record<BrandingAsset, string>
    },
    async change(changes, redraw, record) {
      const rows = await redrawAll(changes, redraw)
      await inTransaction(db, async (tx) => {
        for (const { asset, image: drawn } of rows) {
          if (drawn === null) await brandingStore.remove(tx, asset)
          else await brandingStore.replace(tx, { asset, ...drawn })
        }
        await record?.(tx)
      })
      known = undefined
    },
  }
}

async function redrawAll(changes: ImageChanges, redraw: Redraw) {
  const rows = []
  for (const asset of BRANDING_ASSETS) {
    const file = changes[asset]
    if (file === undefined) continue
    if (file === null) {
      rows.push({ asset, image: null })
      continue
    }
    const { type, bytes } = await redraw(asset, file)
    const content = Buffer.from(bytes)
    const hash = createHash('sha256').update(content).digest('hex')
    rows.push({ asset, image: { type, hash, content: content.toString('base64') } })
  }
  return rows
}
