import { routes } from '@godwit/contract/table'
import type { AdminLink, AdminLinkFilter, ChosenLinks } from '@godwit/contract'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useServices } from '../../../lib/services.tsx'
import type { Chosen } from '../../console-kit/bulk.ts'
import type { ListSource } from '../../console-kit/list-source.ts'

export type LinkKind = AdminLink['kind']

/** First part of the key of every query about links of everybody. */
export const REGISTERS = 'registers'

/** By what a register may be sorted and narrowed; the page carries no schema to read it from. */
export const LINK_SORTS = ['name', 'status', 'uses', 'created', 'expires'] as const
export const LINK_STATES = ['normal', 'expired', 'canceled'] as const

export function registerSource(kind: LinkKind): ListSource<AdminLink> {
  return {
    key: REGISTERS,
    load: (api, { page, pageSize, sort, filters }, signal) =>
      api.call(
        routes.adminLinks.list,
        {
          query: {
            page,
            size: pageSize,
            ...filterOf(kind, filters),
            sort: LINK_SORTS.find((each) => each === sort?.by) ?? 'created',
            order: sort?.order ?? 'desc',
          },
        },
        signal === undefined ? {} : { signal },
      ),
  }
}

/** The filters of the address as the wire has them. */
function filterOf(kind: LinkKind, filters: Readonly<Record<string, string>>): AdminLinkFilter {
  const { text, owner, departmentId } = filters
  const state = LINK_STATES.find((each) => each === filters['state'])
  return {
    kind,
    ...(text === undefined || text === '' ? {} : { text }),
    ...(owner === undefined || owner === '' ? {} : { owner }),
    ...(state === undefined ? {} : { state }),
    ...(departmentId === undefined || departmentId === '' ? {} : { departmentId: Number(departmentId) }),
  }
}

/** A selection of the list as the calls about links take it. */
export function chosenLinks(kind: LinkKind, chosen: Chosen): ChosenLinks {
  return 'ids' in chosen ? { ids: [...chosen.ids] } : { filter: filterOf(kind, chosen.filter) }
}

export function useRegisteredLink(id: string) {
  const { api } = useServices()
  return useQuery({
    queryKey: ['console', REGISTERS, 'one', id],
    queryFn: async ({ signal }) => (await api.call(routes.adminLinks.get, { params: { linkId: id } }, { signal })).link,
  })
}

export function useRegisteredUses(id: string, page: number) {
  const { api } = useServices()
  return useQuery({
    queryKey: ['console', REGISTERS, 'uses', id, page],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => api.call(routes.adminLinks.uses, { params: { linkId: id }, query: { page } }, { signal }),
  })
}
