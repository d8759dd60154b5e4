import { SHARE_URL_TYPE } from '@godwit/contract/exchange/link-states'
import { links } from '@godwit/contract/table/links'
import type { EditLinkInput } from '@godwit/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useCopy } from '../../../lib/copy-text.ts'
import { isFailure } from '../../../lib/http.ts'
import { loadPart } from '../../../lib/load-part.ts'
import { joinPath } from '../../../lib/paths.ts'
import { randomLetters } from '../../../lib/random-letters.ts'
import { useServices } from '../../../lib/services.tsx'
import { useTexts } from '../../../lib/texts.tsx'
import { type LinkTarget, useFilesServices } from '../../content/files/index.ts'
import { fullAddress } from './link-address.ts'
import { dayOf } from './link-form.ts'
import { linkKeys } from './links-query.ts'

const NAME_LETTERS = 6
const MS = 1000

/**
 * Makes an encrypted link with a folder of its own and a key that only this browser knows, puts the address for guests on the
 * clipboard, and goes to the page of the link. There the key is in the address.
 */
export function useSealedLink() {
  const texts = useTexts()
  const { api, clock } = useServices()
  const { operate } = useFilesServices()
  const client = useQueryClient()
  const navigate = useNavigate()
  const copy = useCopy()
  return async ({ kind, place }: LinkTarget, terms: Omit<EditLinkInput, 'shareUrl'>): Promise<void> => {
    const { newLinkKey } = await loadPart(() => import('./new-link-key.ts'))
    const key = newLinkKey(kind)
    const above = texts('links.sealed.folder')
    try {
      await operate('mkdir', { ...place, folder: '/', name: above })
    } catch (error) {
      // All but the first of them find it there.
      if (!isFailure(error, 'PATH_EXISTS')) throw error
    }
    const name = `${dayOf(clock.now() / MS)} ${randomLetters(NAME_LETTERS)}`
    await operate('mkdir', { ...place, folder: joinPath('/', above), name })
    const { shareUrl, linkId } = await api.call(links.create, {
      body: {
        ...place,
        ...terms,
        shareUrlType: SHARE_URL_TYPE[kind === 'share' ? 'download' : 'upload'],
        shareServerPath: joinPath('/', above),
        shareFiles: [name],
        sealedBy: key.sealedBy,
      },
    })
    await client.invalidateQueries({ queryKey: linkKeys })
    await copy(fullAddress(shareUrl) + key.forGuests, { message: texts('links.copied') })
    await navigate({ to: '/link/encrypted', search: { link: linkId }, hash: key.forOwner.slice(1) })
  }
}
