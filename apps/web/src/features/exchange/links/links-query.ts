import type { LinkRecipient, LinkRecord } from '@godwit/contract'
import { links } from '@godwit/contract/table/links'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { Api } from '../../../lib/http.ts'
import type { ListState } from '../../../lib/list-address.ts'
import { useServices } from '../../../lib/services.tsx'
import { isRowSelected, type TableSelection } from '../../../ui/data-table/index.ts'

export const linkKeys = ['links']

const ORDER_BY = new Map(Object.entries({ name: 1, created: 2, expires: 3, status: 4 }))
const BY_CREATION = 2
const PAGE_MAX = 100

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

function isUnderWay({ mail, downloads, percent }: LinkRecipient): boolean {
  return mail === 'waiting' || (downloads > 0 && percent !== 100)
}

export function useLinkRecipients(linkId: string) {
  const { api } = useServices()
  return useQuery({
    queryKey: [...linkKeys, 'recipients', linkId],
    queryFn: ({ signal }) => api.call(links.recipients, { query: { url: linkId } }, { signal }),
    // Mails and downloads under way are looked at again while somebody watches.
    refetchInterval: ({ state }) => (state.data?.items.some(isUnderWay) === true ? LOOK_MS : false),
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
