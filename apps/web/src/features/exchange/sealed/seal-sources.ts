import { secureRandom } from '@godwit/base'
import { readStored, writeStored } from '../../../lib/storage.ts'
import type { Sources } from '../../content/uploads/index.ts'
import { sealFile, type Sealing } from './seal-file.ts'
import { type LinkKey, ownerSeed, senderOf, toBase64Url } from './seal-keys.ts'

/** What was chosen, as it may leave: under ids, sealed while it is read. Folders without files leave no trace. */
export async function sealSources({ files, unreadable }: Sources, sealing: Sealing): Promise<Sources> {
  const sealed = await Promise.all(
    files.map(async (source) => {
      if (source.isIgnored === true) return source
      const sent = await sealFile(source.file, source.relativePath, sealing)
      return { file: source.file, relativePath: sent.name, sent, shownAs: source.relativePath }
    }),
  )
  return { files: sealed, emptyFolders: [], unreadable }
}

const SEED_BYTES = 32

/**
 * Who seals for a link here. A guest's seed stays in this browser, so that the same file, chosen again after a reload, goes on;
 * it opens nothing but what the guest has anyway.
 */
export function sealingFor(linkId: string, link: LinkKey): Sealing {
  return { link, sender: senderOf(link.kind === 'secret' ? ownerSeed(link) : guestSeed(linkId)) }
}

function guestSeed(linkId: string): Uint8Array<ArrayBuffer> {
  const place = `godwit.seed.${linkId}`
  const known = /^[A-Za-z0-9_-]{43}$/.exec(readStored(place) ?? '')?.[0]
  if (known !== undefined) {
    const text = `${known.replaceAll('-', '+').replaceAll('_', '/')}=`
    return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))
  }
  const seed = secureRandom.fill(new Uint8Array(SEED_BYTES))
  writeStored(place, toBase64Url(seed))
  return seed
}
