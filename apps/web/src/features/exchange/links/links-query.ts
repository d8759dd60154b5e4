import type { LinkRecipient, LinkRecord } from '@godwit/contract'
import { links } from '@godwit/contract/table/links'
import { receivedLinks } from '@godwit/contract/table/received-links'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { Api } from '../../../lib/http.ts'
import type { ListState } from '../../../lib/list-address.ts'
import { useServices } from '../../../lib/services.tsx'
import { isRowSelected, type TableSelection } from '../../../ui/data-table/index.ts'
import { useFilesServices } from '../../content/files/index.ts'

export const linkKeys = ['links']

const ORDER_BY = new Map(Object.entries({ name: 1, created: 2, expires: 3, status: 4 }))
const BY_CREATION = 2
const PAGE_MAX = 100
const PEOPLE_STALE_MS = 30_000

export interface LinkList extends Pick<ListState, 'sort' | 'filters'> {
  readonly shareUrlType: 0 | 1
  readonly spaceId: number
}

export function useLinks(list: LinkList, page: number, pageSize: number) {
  const { api } = useServices()
  return useQuery({
    queryKey: [...linkKeys, list, page, pageSize],
    queryFn: ({ signal }) => api.call(links.list, { query: queryOf(list, page, pageSize) }, { signal, quiet: true }),
    placeholderData: keepPreviousData,
  })
}

function queryOf({ shareUrlType, spaceId, sort, filters }: LinkList, pageNum: number, pageSize: number) {
  const status = Number(filters['status'] ?? '')
  return {
    ...{ shareUrlType, spaceId, pageNum, pageSize },
    orderBy: ORDER_BY.get(sort?.by ?? '') ?? BY_CREATION,
    order: sort?.order ?? ('desc' as const),
    ...(filters['q'] === undefined ? {} : { keyword: filters['q'] }),
    ...(status > 0 ? { status } : {}),
  }
}

/** The selected links of all pages; "everything that matches" is asked for page by page. */
export async function selectedLinks(
  api: Api,
  list: LinkList,
  selection: TableSelection,
  shown: readonly LinkRecord[],
): Promise<readonly string[]> {
  if (selection.kind === 'some') return [...selection.ids]
  const found = new Set(shown.map(({ linkId }) => linkId))
  for (let page = 1, left = 1; left > 0; page++) {
    const { sharelinkinfo, total } = await api.call(links.list, { query: queryOf(list, page, PAGE_MAX) })
    for (const { linkId } of sharelinkinfo) found.add(linkId)
    left = sharelinkinfo.length === 0 ? 0 : total - page * PAGE_MAX
  }
  return [...found].filter((id) => isRowSelected(selection, id))
}

const LOOK_MS = 3_000

function isUnderWay({ mail, openedAt, downloads, percent, missing }: LinkRecipient): boolean {
  if (mail === 'waiting' || (mail === 'sent' && openedAt === 0)) return true
  return missing.length > 0 || (downloads > 0 && percent !== 100)
}

export function useLinkRecipients(linkId: string) {
  const { api } = useServices()
  return useQuery({
    queryKey: [...linkKeys, 'recipients', linkId],
    queryFn: ({ signal }) => api.call(links.recipients, { query: { url: linkId } }, { signal }),
    // What may change next is looked at again while somebody watches: mails, first visits, downloads, what is missing.
    refetchInterval: ({ state }) => (state.data?.items.some(isUnderWay) === true ? LOOK_MS : false),
  })
}

/** What an invite link asks for and what has come; looked at again until all of it is there. */
export function useLinkRequest(linkId: string) {
  const { api } = useServices()
  return useQuery({
    queryKey: [...linkKeys, 'request', linkId],
    queryFn: ({ signal }) => api.call(links.request, { query: { url: linkId } }, { signal }),
    refetchInterval: ({ state: { data } }) => (data?.state?.isComplete === false ? LOOK_MS : false),
  })
}

export function useLinkUses(linkId: string, page: number) {
  const { api } = useServices()
  return useQuery({
    queryKey: [...linkKeys, 'uses', linkId, page],
    queryFn: ({ signal }) => api.call(links.uses, { query: { url: linkId, pageNum: page } }, { signal }),
    placeholderData: keepPreviousData,
  })
}

const receivedKeys = ['received-links'] as const

const RECEIVED_ORDERS = ['name', 'created', 'expires'] as const

/** Links that others made for the reader; the list is another one when somebody makes one or takes one back. */
export function useReceivedLinks({ page, pageSize, sort, filters }: ListState) {
  const { api } = useServices()
  const { socket } = useFilesServices()
  const client = useQueryClient()
  useEffect(
    () => socket.on('links.received', () => void client.invalidateQueries({ queryKey: receivedKeys })),
    [socket, client],
  )
  const orderBy = RECEIVED_ORDERS.find((each) => each === sort?.by) ?? 'created'
  const query = { pageNum: page, pageSize, orderBy, order: sort?.order ?? ('desc' as const) }
  return useQuery({
    queryKey: [...receivedKeys, query, filters],
    queryFn: ({ signal }) =>
      api.call(receivedLinks.list, { query: { ...query, keyword: filters['q'] ?? '' } }, { signal, quiet: true }),
    placeholderData: keepPreviousData,
  })
}

/** Whom a link can be for. */
export function usePeople(keyword: string) {
  const { api } = useServices()
  return useQuery({
    queryKey: ['link-people', keyword],
    queryFn: ({ signal }) => api.call(links.people, { query: { keyword } }, { signal, quiet: true }),
    placeholderData: keepPreviousData,
    staleTime: PEOPLE_STALE_MS,
  })
}
