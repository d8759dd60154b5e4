import type { LinkRecord } from '@godwit/contract'
import { links } from '@godwit/contract/table/links'
import { useQueryClient } from '@tanstack/react-query'
import { useCopy } from '../../../lib/copy-text.ts'
import { useServices } from '../../../lib/services.tsx'
import { type PortalKey, useTexts } from '../../../lib/texts.tsx'
import { fullAddress } from './link-address.ts'
import { linkKeys } from './links-query.ts'

/** Days that one press extends a link by. */
const EXTENSION_DAYS = 7

/** What can be done with links that exist; the lists show it at once, and why it was refused if it was. */
export function useLinkCommands() {
  const texts = useTexts()
  const { api, messages } = useServices()
  const client = useQueryClient()
  const copy = useCopy()
  const change = async (work: () => Promise<unknown>, done: PortalKey, count: number): Promise<void> => {
    try {
      await work()
      messages.notify('success', texts(done, { count }))
    } catch (error) {
      messages.fail(error, texts)
    }
    await client.invalidateQueries({ queryKey: linkKeys })
  }
  const body = (ids: readonly string[]) => ({ body: { shareUrlList: [...ids] } })
  return {
    copy: ({ shareLink, sealedBy }: LinkRecord) =>
      copy(fullAddress(shareLink), { message: texts(sealedBy === '' ? 'links.copied' : 'links.sealed.copied') }),
    disable: (ids: readonly string[]) =>
      change(() => api.call(links.cancelTwin, body(ids)), 'links.disabled', ids.length),
    enable: (ids: readonly string[]) => change(() => api.call(links.enable, body(ids)), 'links.enabled', ids.length),
    extend: (ids: readonly string[]) =>
      change(
        () => api.call(links.extend, { body: { shareUrlList: [...ids], days: EXTENSION_DAYS } }),
        'links.extended',
        ids.length,
      ),
    remove: (ids: readonly string[]) => change(() => api.call(links.remove, body(ids)), 'links.removed', ids.length),
    unbind: ({ linkId }: LinkRecord) =>
      change(() => api.call(links.unbind, { body: { urls: [linkId] } }), 'links.unbound', 1),
  }
}
