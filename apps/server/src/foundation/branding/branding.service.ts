import fs from 'node:fs/promises'
import path from 'node:path'
import { createHash } from 'node:crypto'
import { randomHex, type Clock, type Random } from '@godwit/base'
import { BRANDING_ASSETS, IMAGE_TYPES, type BrandingAsset, type ImageType } from '@godwit/contract'
import { requireImage } from './images.policy.ts'

export interface Image {
  readonly contentType: string
  readonly bytes: Buffer
  /** SHA-256 of the bytes, in hex. */
  readonly hash: string
}

/** The site's own images, kept as files in the data folder. */
export interface Branding {
  /** @returns undefined for an image that is not replaced */
  image(asset: BrandingAsset): Promise<Image | undefined>
  /** Address of each, or ''. */
  addresses(): Promise<Readonly<Record<BrandingAsset, string>>>
  /** @throws AppError BRANDING_IMAGE_INVALID */
  replace(asset: BrandingAsset, bytes: Uint8Array): Promise<void>
  reset(asset: BrandingAsset): Promise<void>
}

export interface BrandingDeps {
  readonly data: string
  readonly clock: Clock
  readonly random: Random
}

/** Another process's change is seen at the latest after this long. */
const CACHE_MS = 1_000
const TYPES = Object.keys(IMAGE_TYPES) as ImageType[]

/** One piece: its functions share the folder and the short memory in front of it. */
export function openBranding({ data, clock, random }: BrandingDeps): Branding {
  const folder = path.join(data, 'branding')
  // Names come from two fixed lists and never from what somebody sent.
  const fileOf = (asset: BrandingAsset, type: ImageType) => path.join(folder, `${asset}.${type}`)
  const known = new Map<BrandingAsset, { readonly image: Image | undefined; readonly until: number }>()

  async function load(asset: BrandingAsset): Promise<Image | undefined> {
    for (const type of TYPES) {
      const bytes = await readIfThere(fileOf(asset, type))
      if (bytes === undefined) continue
      return { contentType: IMAGE_TYPES[type], bytes, hash: createHash('sha256').update(bytes).digest('hex') }
    }
    return undefined
  }

  async function image(asset: BrandingAsset): Promise<Image | undefined> {
    const entry = known.get(asset)
    if (entry !== undefined && entry.until > clock.monotonic()) return entry.image
    const loaded = await load(asset)
    known.set(asset, { image: loaded, until: clock.monotonic() + CACHE_MS })
    return loaded
  }

  async function removeBut(asset: BrandingAsset, kept?: ImageType): Promise<void> {
    for (const type of TYPES) if (type !== kept) await fs.rm(fileOf(asset, type), { force: true })
    known.delete(asset)
  }

  return {
    image,
    async addresses() {
      const addresses = BRANDING_ASSETS.map(async (asset) => {
        const found = await image(asset)
        return [asset, found === undefined ? '' : `/customize/${asset}?v=${found.hash.slice(0, 16)}`] as const
      })
      return Object.fromEntries(await Promise.all(addresses)) as Record<BrandingAsset, string>
    },
    async replace(asset, bytes) {
      const { type } = requireImage(asset, bytes)
      await fs.mkdir(folder, { recursive: true, mode: 0o750 })
      const part = path.join(folder, `${randomHex(random, 8)}.part`)
      await fs.writeFile(part, bytes, { flag: 'wx', mode: 0o640, flush: true })
      await fs.rename(part, fileOf(asset, type))
      await removeBut(asset, type)
    },
    reset: (asset) => removeBut(asset),
  }
}

async function readIfThere(file: string): Promise<Buffer | undefined> {
  try {
    return await fs.readFile(file)
  } catch (thrown) {
    if (thrown instanceof Error && 'code' in thrown && thrown.code === 'ENOENT') return undefined
    throw thrown
  }
}
